import { outbox } from '../sql/outbox.ts';
import { callWasMade } from '../sql/status.ts';

/**
 * The event of each asynchronous call in `ended`, the common table expression of a statement that ends calls: `call_events` returns the ids of
 * its deliveries. Only the statement that ends a call finds it there, so a call has one event. `spec 26.6`
 */
export const callEvents = (ended: string): string => `
  ended_call as (
    select j.job_id, j.team_id, j.job_type, j.external_task_id, j.user_id, j.metadata,
           c.call_id, c.status, c.purpose, c.total_tokens, c.latency_ms, c.error,
           -- Only a response is both without a client that waits and made to be named.
           exists (select from call_payloads p where p.call_id = c.call_id and p.client_request is not null) as is_response
      from ${ended} c join jobs j on j.job_id = c.job_id
     where c.asynchronous and ${callWasMade('c.status')}
  ), call_events as (${outbox(
    'ended_call',
    `case ended_call.status when 'succeeded' then 'call.completed' else 'call.failed' end`,
    `jsonb_build_object('call_id', ended_call.call_id, 'purpose', ended_call.purpose, 'total_tokens', ended_call.total_tokens,
                        'latency_ms', ended_call.latency_ms, 'error', ended_call.error)
     || case when ended_call.is_response
             then jsonb_build_object('response_id', 'resp_' || replace(ended_call.call_id::text, '-', '')) else '{}' end`,
  )})`;
