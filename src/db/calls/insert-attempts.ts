import { type Database, statement } from '../connection/database.ts';
import { writableByAttempt } from './begin-call.ts';
import { type Attempt, insertAttempts } from './finish-call.ts';

const sql = statement(
  'keep_attempts',
  `with held as (
     select call_id from calls where call_id = $1 and ${writableByAttempt('$2')} for update
   ) ${insertAttempts('held', '$2', '$3')}
   on conflict do nothing`,
);

/** Keeps the requests of an attempt that gives the call up for another attempt. Idempotent, because each has its number. */
export const insertInterruptedAttempts = (
  database: Database,
  callId: string,
  workerAttempt: number,
  attempts: readonly Attempt[],
) => database.query(sql, [callId, workerAttempt, JSON.stringify(attempts)]);
