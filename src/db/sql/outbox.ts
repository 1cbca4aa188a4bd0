export const isoTimestamp = (expression: string) =>
  `to_char(${expression} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Longer metadata are not sent: each event of a job is stored once for each webhook. The receiver can read them with the job. */
const maxMetadataBytes = 2_048;

/** What the sender of a job has given it, so that a receiver knows its own order without another request. */
const given = (job: string) => `jsonb_build_object(
  'job_type', ${job}.job_type, 'external_task_id', ${job}.external_task_id, 'user_id', ${job}.user_id,
  'metadata', case when octet_length(${job}.metadata::text) <= ${maxMetadataBytes} then ${job}.metadata end)`;

/**
 * A statement that makes an event true writes its deliveries too, so that neither exists without the other. `source` is the CTE
 * with the job's columns, `data` an object of what the event adds; the events are named in `spec 11.5`. The webhook's row is locked here because
 * the foreign key would lock it anyway, and fail if it is being deleted: this waits for the deletion and skips the webhook. A
 * webhook with too many waiting events gets none: `limit-backlogs.ts`.
 */
export const outbox = (source: string, event: string, data: string) => `
  insert into webhook_deliveries (delivery_id, webhook_id, event, job_id, body)
  select gen_random_uuid(), w.webhook_id, ${event}, ${source}.job_id,
         json_build_object('event', ${event}, 'job_id', ${source}.job_id, 'team_id', ${source}.team_id,
                           'timestamp', ${isoTimestamp('clock_timestamp()')}, 'data', ${given(source)} || ${data})::text
    from ${source} join webhooks w on w.team_id = ${source}.team_id and w.is_active and not w.skips_events
                       and ${event} = any (w.events)
     for key share of w
  returning delivery_id`;
