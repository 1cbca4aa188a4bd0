import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { writableByAttempt } from './begin-call.ts';
import { type Attempt, insertAttempts } from './finish-call.ts';

const sql = statement(
  'keep_attempts',
  `with held as (
     select call_id from calls where call_id = :call_id and ${writableByAttempt} for update
   ) ${insertAttempts('held')}
   on conflict do nothing`,
);

/** Keeps the requests of an attempt that gives the call up for another attempt. Idempotent, because each has its number. */
export const insertInterruptedAttempts = (
  database: Database,
  callId: string,
  workerAttempt: number,
  attempts: readonly Attempt[],
) => database.query(sql, { call_id: callId, worker_attempt: workerAttempt, attempts: JSON.stringify(attempts) });
