import type { Database } from '../connection/database.ts';
import { isoTimestamp } from '../sql/outbox.ts';
import { statement } from '../sql/statement.ts';

interface Subject {
  kind: string;
  subject_id: string;
}

interface FoundAttention {
  /** What begins, unless it is open already. `data` is what both events say of it. */
  found: readonly (Subject & { title: string; data: object })[];
  /** What goes on if it is open: what was found, and what that includes. */
  holds: readonly Subject[];
  /** Kinds of which not all were found: none of them ends. */
  partial: readonly string[];
  /** What no longer holds ends after this time. */
  endsAfterMs: number;
}

interface RecordedAttention {
  /** How many have begun or ended. */
  changed: number;
  /** The webhooks that have a delivery of it. */
  webhook_ids: string[];
}

/**
 * A row is inserted once and deleted once, by whichever process is first, and the same statement writes its event: each beginning and
 * each end has one, however many processes look.
 */
const sql = statement(
  'record_attention',
  `with found as (
     select * from jsonb_to_recordset(:found::jsonb) as found (kind text, subject_id text, title text, data jsonb)
   ), holds as (
     select * from jsonb_to_recordset(:holds::jsonb) as holds (kind text, subject_id text)
   ), states as (
     select o.kind, o.subject_id, o.gone_since,
            exists (select from holds where holds.kind = o.kind and holds.subject_id = o.subject_id) as is_held
       from open_attention o where o.kind <> all (:partial::text[])
   ), marked as (
     update open_attention o set gone_since = case when not s.is_held then clock_timestamp() end
       from states s
      where o.kind = s.kind and o.subject_id = s.subject_id and s.is_held = (s.gone_since is not null)
   ), begun as (
     insert into open_attention (kind, subject_id, title, data)
     select kind, subject_id, title, data from found order by kind, subject_id
     on conflict do nothing
     returning attention_id, data
   ), ended as (
     delete from open_attention o using states s
      where o.kind = s.kind and o.subject_id = s.subject_id and not s.is_held
        and o.gone_since < clock_timestamp() - :ends_after_ms * interval '1 millisecond'
     returning o.attention_id, o.title, o.data, o.gone_since
   ), events as (
     select 'attention.opened' as event, jsonb_build_object('attention_id', attention_id) || data as data from begun
     union all
     select 'attention.closed', jsonb_build_object('attention_id', attention_id) || data
              || jsonb_build_object('sentence', 'No longer: ' || title || '.', 'ended_at', ${isoTimestamp('gone_since')})
       from ended
   ), deliveries as (
     insert into webhook_deliveries (delivery_id, webhook_id, event, job_id, body)
     select gen_random_uuid(), w.webhook_id, events.event, null,
            json_build_object('event', events.event, 'job_id', null, 'team_id', null,
                              'timestamp', ${isoTimestamp('clock_timestamp()')}, 'data', events.data)::text
       from events join webhooks w on w.team_id is null and w.is_active and not w.skips_events and events.event = any (w.events)
        for key share of w
     returning webhook_id
   )
   select (select count(*)::int from events) as changed,
          (select coalesce(json_agg(distinct webhook_id), '[]') from deliveries) as webhook_ids`,
);

/** Records what needs attention now, with the deliveries of the events of what has begun and ended. */
export async function recordAttention(
  database: Database,
  { found, holds, partial, endsAfterMs }: FoundAttention,
): Promise<RecordedAttention> {
  const subjects = holds.map(({ kind, subject_id }) => ({ kind, subject_id }));
  const [row] = await database.query<RecordedAttention>(sql, {
    found: JSON.stringify(found),
    holds: JSON.stringify(subjects),
    partial,
    ends_after_ms: endsAfterMs,
  });
  return row!;
}
