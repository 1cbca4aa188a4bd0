import { type Database, statement } from '../database.ts';

const sql = statement(
  'close_call',
  `update calls set status = $2, error = $3, finished_at = now()
    where call_id = $1 and status in ('queued', 'running')
   returning worker_attempt`,
);

/**
 * Ends a call that no attempt will end: refused because its job was closing, or failed because it was cancelled before it
 * began or its worker was lost for good. Undefined when it was ended already.
 */
export async function closeCall(
  database: Database,
  callId: string,
  status: 'refused' | 'failed',
  error: string,
): Promise<{ worker_attempt: number } | undefined> {
  const [row] = await database.query<{ worker_attempt: number }>(sql, [callId, status, error]);
  return row;
}
