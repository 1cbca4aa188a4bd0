import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { repairLostStart, writableByAttempt } from '../sql/status.ts';

const sql = statement(
  'mark_first_token',
  `update calls set first_token_at = coalesce(first_token_at, now()), status = 'running', ${repairLostStart}
    where call_id = :call_id and ${writableByAttempt} and (first_token_at is null or worker_attempt = :worker_attempt)
   returning call_id`,
);

/**
 * Marks that the first token is about to be published: from then on no attempt may start over. False: a later attempt has the call.
 * The same attempt may repeat it when the result was lost; a later attempt finds it when it starts (`has_first_token`). Repairs a
 * start that was lost in a crash of PostgreSQL (start-call.ts).
 */
export async function markFirstToken(database: Database, callId: string, workerAttempt: number): Promise<boolean> {
  const rows = await database.query(sql, { call_id: callId, worker_attempt: workerAttempt });
  return rows.length > 0;
}
