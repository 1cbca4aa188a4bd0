import type { ListPosition } from '../../contracts/cursor.ts';
import type { CallAgent } from '../../domain/agent.ts';
import type { CallStatus } from '../../domain/call-state.ts';
import type { Database } from '../connection/database.ts';
import type { Keyset } from '../sql/keyset.ts';
import { type KeysetPage, readKeysetPage } from '../sql/read-keyset-page.ts';
import { statement } from '../sql/statement.ts';
import type { CallRow } from './list-call-costs.ts';

/** The record of any call of a job, also of one that has not ended. Costs are exact decimals, USD. */
export interface JobCallRow extends CallRow {
  /** The position among all calls of the job, from 1. */
  position_in_job: number;
  agent: CallAgent | null;
  request_id: string | null;
  requested_model: string;
  streamed: boolean;
  started_at: Date | null;
  first_token_at: Date | null;
  finished_at: Date | null;
  finish_reason: string | null;
  payload_stored: boolean;
}

/** Every call of the job `:job_id`, numbered. `position` grows with each call of any job. */
const numbered = `(select call_id, position, row_number() over (order by position)::int as position_in_job
                    from calls where job_id = :job_id) n`;

const columns = `c.call_id, n.position_in_job, c.purpose, c.agent, c.request_id, c.requested_model, c.model_group_used, c.resolved_model, c.model_used,
   c.status, c.streamed, c.created_at, c.started_at, c.first_token_at, c.finished_at, c.prompt_tokens, c.completion_tokens,
   c.total_tokens, c.cost_usd, c.latency_ms, c.finish_reason, c.error, c.failure,
   exists (select from call_payloads p where p.call_id = c.call_id) as payload_stored`;

const keyset: Keyset = { name: 'calls of a job', columns: [{ sql: 'n.position', type: 'bigint', direction: 'asc' }] };

/** A page of a job's calls, in the order in which they were made. One job has thousands of calls at most, so that all are numbered. */
export async function listJobCalls(
  database: Database,
  jobId: string,
  { status, ...page }: KeysetPage & { status?: CallStatus | undefined },
): Promise<{ total: number | null; rows: JobCallRow[]; next: ListPosition | null }> {
  const byStatus = status ? 'c.status = :status' : 'true';
  const listing = {
    columns,
    keyset,
    from: (after: string) => `${numbered} join calls c on c.call_id = n.call_id where ${byStatus} and ${after}`,
    count: `select count(*)::int as total from calls c where job_id = :job_id and ${byStatus}`,
  };
  const values = { job_id: jobId, ...(status && { status }) };
  const { counted, rows, next } = await readKeysetPage<JobCallRow>(database, listing, values, page);
  return { total: counted?.total ?? null, rows, next };
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
