import { type Database, statement } from '../database.ts';

const sql = statement(
  'mark_shown',
  `update calls set first_token_at = now(), status = 'running', worker_attempt = $2, started_at = coalesce(started_at, now())
    where call_id = $1 and worker_attempt <= $2 and status in ('queued', 'running') and first_token_at is null
   returning call_id`,
);

/**
 * Before the first token leaves: from here on no attempt may start over. False: a later attempt has the call. A begin that was
 * lost with the server (begin-call.ts) is made up for.
 */
export async function markShown(database: Database, callId: string, workerAttempt: number): Promise<boolean> {
  const rows = await database.query(sql, [callId, workerAttempt]);
  return rows.length > 0;
}
