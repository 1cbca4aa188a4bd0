import type { ListPosition } from '../../contracts/cursor.ts';
import type { CallStatus } from '../../domain/call-state.ts';
import type { Database } from '../connection/database.ts';
import { afterPosition, type Keyset, valuesAfter } from '../sql/keyset.ts';
import { statement, unnamed } from '../sql/statement.ts';
import { type AttemptRow, attemptColumns, type CallRow } from './list-calls.ts';

/** The record of any call of a job, also of one that has not ended. Costs are exact decimals, USD. */
export interface JobCallRow extends CallRow {
  /** Grows with each call of any job. */
  position: number;
  /** Among all calls of the job, from 1. */
  place: number;
  requested_model: string;
  status: CallStatus;
  streamed: boolean;
  started_at: Date | null;
  first_token_at: Date | null;
  finished_at: Date | null;
  finish_reason: string | null;
  payload_stored: boolean;
}

/** Every call of the job `:job_id`, with its place. */
const numbered = `(select call_id, position, row_number() over (order by position)::int as place from calls where job_id = :job_id) n`;

const columns = `c.call_id, c.position, n.place, c.purpose, c.requested_model, c.model_group_used, c.resolved_model, c.model_used,
   c.status, c.streamed, c.created_at, c.started_at, c.first_token_at, c.finished_at, c.prompt_tokens, c.completion_tokens,
   c.total_tokens, c.cost_usd, c.latency_ms, c.finish_reason, c.error,
   exists (select from call_payloads p where p.call_id = c.call_id) as payload_stored`;

const keyset: Keyset = { name: 'calls of a job', columns: [{ sql: 'n.position', type: 'bigint', direction: 'asc' }] };

export interface JobCallsPage {
  limit: number;
  offset?: number;
  cursor?: ListPosition | null | undefined;
  status?: CallStatus | undefined;
  count?: 'exact' | 'none';
}

export interface JobCallsFound {
  total: number | null;
  rows: JobCallRow[];
  next: ListPosition | null;
}

/** A page of a job's calls, in the order in which they were made. One job has thousands of calls at most, so that all are numbered. */
export async function listJobCalls(
  database: Database,
  jobId: string,
  { limit, offset = 0, cursor, status, count = 'exact' }: JobCallsPage,
): Promise<JobCallsFound> {
  const byStatus = status ? 'c.status = :status' : 'true';
  const page = unnamed(`
    select ${columns} from ${numbered} join calls c on c.call_id = n.call_id
     where ${byStatus} and ${afterPosition(keyset, cursor)}
     order by n.position limit :limit::int + 1 offset :offset`);
  const total = unnamed(`select count(*)::int as total from calls c where job_id = :job_id and ${byStatus}`);
  const values = { job_id: jobId, ...(status && { status }) };
  const [found, counted] = await Promise.all([
    database.reports.query<JobCallRow>(page, { ...values, ...valuesAfter(keyset, cursor), limit, offset }),
    count === 'exact' ? database.reports.query<{ total: number }>(total, values) : [{ total: null }],
  ]);
  const rows = found.slice(0, limit);
  const next = found.length > limit ? { order: keyset.name, values: [String(rows.at(-1)!.position)] } : null;
  return { total: counted[0]!.total, rows, next };
}

const findSql = statement(
  'find_job_call',
  `select ${columns} from ${numbered} join calls c on c.call_id = n.call_id where n.call_id = :call_id`,
);

/** Undefined: the job has no such call. */
export async function findJobCall(database: Database, jobId: string, callId: string): Promise<JobCallRow | undefined> {
  const [row] = await database.reports.query<JobCallRow>(findSql, { job_id: jobId, call_id: callId });
  return row;
}

const attemptsSql = statement(
  'list_attempts_of_calls',
  `select ${attemptColumns} from call_attempts a where a.call_id = any (:call_ids::uuid[]) order by a.call_id, a.attempt_number`,
);

/** The attempts of calls, in their order. */
export const listAttemptsOf = (database: Database, calls: readonly JobCallRow[]): Promise<AttemptRow[]> =>
  database.reports.query<AttemptRow>(attemptsSql, { call_ids: calls.map(({ call_id }) => call_id) });
