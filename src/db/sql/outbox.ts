export const isoTimestamp = (expression: string) =>
  `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * A statement that makes an event true writes its deliveries too, so that neither exists without the other. `source` is the CTE
 * with the job's columns; the events are named in `spec 11.5`. The webhook's row is locked here because
 * the foreign key would lock it anyway, and fail if it is being deleted: this waits for the deletion and skips the webhook. A
 * webhook with too many waiting events gets none: `limit-backlogs.ts`.
 */
export const outbox = (source: string, event: string, data: string) => `
  insert into webhook_deliveries (delivery_id, webhook_id, event, job_id, body)
  select gen_random_uuid(), w.webhook_id, ${event}, ${source}.job_id,
         json_build_object('event', ${event}, 'job_id', ${source}.job_id, 'team_id', ${source}.team_id,
                           'timestamp', ${isoTimestamp('clock_timestamp()')}, 'data', ${data})::text
    from ${source} join webhooks w on w.team_id = ${source}.team_id and w.is_active and not w.skips_events
                       and ${event} = any (w.events)
     for key share of w
  returning delivery_id`;
