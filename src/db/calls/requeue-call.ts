import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callMayBecome } from '../sql/status.ts';
import { insertInterrupted } from './insert-attempts.ts';

const sql = statement(
  'requeue_call',
  `with requeued as (
     update calls set status = 'queued', worker_attempt = 0, started_at = null
      where call_id = :call_id and ${callMayBecome(['queued'])} and worker_attempt = 1 and first_token_at is null
     returning call_id, resolved_model
   ) ${insertInterrupted('requeued', '0', 'the worker was not given the call')}
   on conflict do nothing`,
);

/**
 * Undoes the start of a speculative start whose call Temporal gave to no worker, or to another one: the call is queued again, and
 * its request to the upstream is recorded as interrupted. Does nothing when another attempt has started the call.
 */
export const requeueCall = (database: Database, callId: string) => database.query(sql, { call_id: callId });
