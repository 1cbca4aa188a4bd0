import { type Database, statement } from '../database.ts';
import { begunBy, heldBy } from './begin-call.ts';

const sql = statement(
  'mark_shown',
  `update calls set first_token_at = coalesce(first_token_at, now()), status = 'running', ${begunBy('$2')}
    where call_id = $1 and ${heldBy('$2')} and (first_token_at is null or worker_attempt = $2)
   returning call_id`,
);

/**
 * Before the first token leaves: from here on no attempt may start over. False: a later attempt has the call. Repeated by the
 * same attempt, whose answer was lost, it says the same; a later one learns when it begins that a token was shown. A begin that
 * was lost with the server (begin-call.ts) is made up for.
 */
export async function markShown(database: Database, callId: string, workerAttempt: number): Promise<boolean> {
  const rows = await database.query(sql, [callId, workerAttempt]);
  return rows.length > 0;
}
