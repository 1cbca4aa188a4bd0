import { isFinished } from '../../domain/job-state.ts';
import type { Database } from '../connection/database.ts';
import { findJob } from '../jobs/find-job.ts';
import { shortenUnsent } from '../sql/not-kept.ts';
import { statement } from '../sql/statement.ts';
import { callMayBecome } from '../sql/status.ts';
import { callEvents } from './call-events.ts';
import { costSoFar, insertInterrupted } from './insert-attempts.ts';

export interface ClosedCall {
  job_id: string;
  team_id: string;
  worker_attempt: number;
  streamed: boolean;
  /** Of the event that it has ended. */
  delivery_ids: string[];
}

const sql = statement(
  'close_call',
  `with closed as (
     update calls set status = :status, error = :error, cost_usd = ${costSoFar}, finished_at = now()
      where call_id = :call_id and ${callMayBecome(['refused', 'failed'])}
     returning *
   ), interrupted as (${insertInterrupted('closed', 'no worker recorded its answer', 'closed.worker_attempt > 0')}
   ), payload as (${shortenUnsent('closed')}
   ), ${callEvents('closed')}
   select job_id, team_id, worker_attempt, streamed, array(select delivery_id from call_events) as delivery_ids from closed`,
);

/**
 * Ends a call that no attempt will end: refused because its job was closing, or failed because it was cancelled before it
 * was started or its worker was lost for good. What the last attempt has requested of a model is recorded as interrupted. Undefined when it
 * was ended already.
 */
export async function closeCall(
  database: Database,
  callId: string,
  status: 'refused' | 'failed',
  error: string,
): Promise<ClosedCall | undefined> {
  const [row] = await database.query<ClosedCall>(sql, { call_id: callId, status, error });
  return row;
}

/**
 * Refuses a call that came after its job's end, with the status of that end. False: the job is open, because its workflow was lost
 * a moment ago.
 */
export async function refuseLateCall(database: Database, jobId: string, callId: string): Promise<boolean> {
  const status = (await findJob(database, jobId))?.status ?? 'completed';
  if (!isFinished(status)) return false;
  await closeCall(database, callId, 'refused', status);
  return true;
}
