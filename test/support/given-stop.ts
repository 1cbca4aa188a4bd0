import type { Pool } from 'pg';
import { type Addressed, as, expectOk, type GivenTeam, unique } from './given.ts';
import type { Answer, Json } from './send-request.ts';
import { until } from './until.ts';

export type Kind = 'call' | 'stream' | 'single' | 'singleStream';

export interface StartedCall {
  job: string;
  call: string;
  /** The answer of the request that has made the call. */
  end: Promise<Answer>;
}

/** Stops calls of a gateway, and reads what has become of them. `pool`: of its database. */
export function stopping(gateway: Addressed, pool: () => Pool) {
  const read = async (team: GivenTeam, job: string, call: string): Promise<Json> =>
    expectOk(await as(gateway, team).get(`/api/jobs/${job}/calls/${call}?include=response`));
  return {
    stop: (team: GivenTeam, job: string, call: string, headers?: Record<string, string>): Promise<Answer> =>
      as(gateway, team).post(`/api/jobs/${job}/calls/${call}/stop`, undefined, headers),
    read,
    /** A call of the kind, in the job or one of its own, once it is in the record and `holds` says so. */
    async started(
      team: GivenTeam,
      kind: Kind,
      holds: (call: Json) => boolean,
      { job, ...fields }: { job?: string; [field: string]: unknown } = {},
    ): Promise<StartedCall> {
      const purpose = unique('purpose');
      const body = { purpose, ...fields };
      const client = as(gateway, team);
      const end = kind === 'single' || kind === 'singleStream' ? client[kind](body) : client[kind](job!, body);
      const find = async () =>
        (await pool().query('select call_id, job_id, status, first_token_at from calls where purpose = $1', [purpose]))
          .rows[0];
      const { job_id, call_id } = await until(find, (call) => call !== undefined && holds(call));
      return { job: job_id, call: call_id, end };
    },
  };
}

export const isRunning = ({ status }: Json): boolean => status === 'running';
export const isShown = ({ first_token_at }: Json): boolean => first_token_at !== null;
export const isQueued = ({ status }: Json): boolean => status === 'queued';

/** The chunks of a stream, and its text. */
export function contentOf({ text }: Pick<Answer, 'text'>): { text: string; chunks: Json[]; reason: string | null } {
  const data = text.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6))] : []));
  const deltas = data.map((chunk) => chunk.choices?.[0]?.delta?.content ?? '');
  const reasons = data.map((chunk) => chunk.choices?.[0]?.finish_reason ?? null);
  return { text: deltas.join(''), chunks: data, reason: reasons.findLast((reason) => reason !== null) ?? null };
}
