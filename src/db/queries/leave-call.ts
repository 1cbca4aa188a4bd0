import { type Database, statement } from '../database.ts';

const sql = statement(
  'leave_call',
  `with left_to_another as (
     update calls set status = 'queued', worker_attempt = 0, started_at = null
      where call_id = $1 and status = 'running' and worker_attempt = 1 and first_token_at is null
     returning call_id, resolved_model
   )
   insert into call_attempts (call_id, attempt_number, worker_attempt, model, outcome, error)
   select call_id, (select count(*) + 1 from call_attempts a where a.call_id = left_to_another.call_id),
          0, resolved_model, 'interrupted', 'the worker was not given the call'
     from left_to_another
   on conflict do nothing`,
);

/**
 * Takes back the begin of a head start whose call came to nobody, or to another worker: the call is queued again, and what the
 * upstream was asked is kept as interrupted. Does nothing when another attempt has begun the call.
 */
export const leaveCall = (database: Database, callId: string) => database.query(sql, [callId]);
