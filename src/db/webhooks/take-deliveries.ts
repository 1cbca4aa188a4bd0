import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import type { DeliveryToStart } from './deliveries.ts';

/** What a team may have of deliveries. */
export interface DeliveryPace {
  /** How many may be started at once, and how many more with each second. */
  burst: number;
  per_second: number;
  /** How many may wait for the first attempt of their schedule with a workflow. */
  most_unattempted: number;
  /** How many of one webhook may have a workflow. Most of them wait for their next attempt, which costs storage at Temporal. */
  most_open: number;
  /** The same for a webhook whose last attempt failed. One more is started each minute: it finds out that the receiver is back. */
  most_open_failing: number;
}

/** Whose deliveries are begun together at one pace: those of a team, or of the installation, which no team can be named like. */
export const paceOf = (teamId: string | null): string => teamId ?? '';
const ofHolder = `coalesce(w.team_id, '')`;
/** The index is of `team_id`. */
const isOfHolders = `(w.team_id = any (:team_ids) or w.team_id is null and '' = any (:team_ids))`;

export interface TakenDelivery extends DeliveryToStart {
  /** It had failed, and was requested again. */
  is_repeated: boolean;
}

export interface TakenDeliveries {
  /** `paceOf` the team. */
  team_id: string;
  deliveries: TakenDelivery[];
  /** More wait, and may be started when time has passed. */
  has_more: boolean;
}

/**
 * Two processes take from one team one after the other, because the row of its pace is locked first. What a process has seen of the
 * deliveries before it got the lock may have changed: the update checks it again.
 */
const sql = statement(
  'take_deliveries',
  `with locked as (
     select * from delivery_paces where team_id = any (:team_ids::text[]) order by team_id for update
   ), paces as (
     select given.team_id, least(:burst::float8,
              coalesce(locked.available + :per_second::float8 * extract(epoch from clock_timestamp() - locked.counted_at)::float8,
                       :burst)) as available
       from unnest(:team_ids::text[]) as given (team_id) left join locked on locked.team_id = given.team_id
   ), receivers as (
     select w.webhook_id, ${ofHolder} as team_id, under_way.unattempted,
            case when w.failing_since is null then :most_open::int - under_way.open
                 when coalesce(under_way.last_started_at < now() - interval '1 minute', true)
                 then greatest(1, :most_open_failing::int - under_way.open)
                 else :most_open_failing - under_way.open end as may_open
       from webhooks w cross join lateral (
              select count(*) as open, count(*) filter (where d.attempts = d.attempts_before) as unattempted,
                     max(d.started_at) as last_started_at
                from webhook_deliveries d
               where d.webhook_id = w.webhook_id and d.status = 'pending' and d.started_at is not null) under_way
      where ${isOfHolders}
   ), waiting as (
     select d.delivery_id, receivers.team_id,
            row_number() over (partition by receivers.team_id order by d.created_at, d.delivery_id) as position
       from receivers cross join lateral (
              select delivery_id, created_at from webhook_deliveries
               where webhook_id = receivers.webhook_id and status = 'pending' and started_at is null
               order by started_at nulls first, created_at
               limit greatest(0, least(receivers.may_open, ceil(:burst)::int + 1))) d
   ), teams_now as (
     select paces.team_id, least(floor(paces.available), :most_unattempted::int - coalesce(sum(receivers.unattempted), 0)) as most
       from paces left join receivers on receivers.team_id = paces.team_id group by paces.team_id, paces.available
   ), taken as (
     update webhook_deliveries d set started_at = clock_timestamp()
       from waiting join teams_now on teams_now.team_id = waiting.team_id
      where d.delivery_id = waiting.delivery_id and waiting.position <= teams_now.most and d.started_at is null
     returning d.delivery_id, d.event, d.attempts_before > 0 as is_repeated, waiting.team_id
   ), counted as (
     insert into delivery_paces (team_id, available, counted_at)
     select team_id, available - (select count(*) from taken where taken.team_id = paces.team_id), clock_timestamp() from paces
     on conflict (team_id) do update set available = excluded.available, counted_at = excluded.counted_at
   )
   select paces.team_id,
          (select coalesce(json_agg(json_build_object('delivery_id', taken.delivery_id, 'event', taken.event, 'is_repeated', taken.is_repeated,
                                                      'team_id', t.team_id, 'organization_id', t.organization_id)), '[]')
             from taken where taken.team_id = paces.team_id) as deliveries,
          (select count(*) from waiting where waiting.team_id = paces.team_id)
            > (select count(*) from taken where taken.team_id = paces.team_id) as has_more
     from paces left join teams t on t.team_id = paces.team_id`,
);

/** Takes the oldest deliveries of each team that may be started now. Whoever takes them starts them, or returns them. */
export const takeDeliveries = (
  database: Database,
  teamIds: readonly string[],
  pace: DeliveryPace,
): Promise<TakenDeliveries[]> => database.query<TakenDeliveries>(sql, { team_ids: teamIds, ...pace });

const returnSql = statement(
  'return_deliveries',
  `update webhook_deliveries set started_at = null where delivery_id = any (:delivery_ids::uuid[]) and status = 'pending'`,
);

/** Returns deliveries that could not be started. If their process dies before, maintenance finds that they have no workflow. */
export const returnDeliveries = (database: Database, deliveryIds: readonly string[]) =>
  database.query(returnSql, { delivery_ids: deliveryIds });

const countSql = statement(
  'count_started_delivery',
  'update delivery_paces set available = available - 1 where team_id = :team_id',
);

/** Counts one that was started without being taken. */
export const countStarted = (database: Database, teamId: string | null) =>
  database.query(countSql, { team_id: paceOf(teamId) });

const overdueSql = statement(
  'teams_with_overdue_deliveries',
  `select distinct ${ofHolder} as team_id from webhooks w
    where exists (select from webhook_deliveries d
                   where d.webhook_id = w.webhook_id and d.status = 'pending' and d.started_at is null
                     and d.created_at < now() - :older_than_ms * interval '1 millisecond')
    order by 1`,
);

/** Younger ones are left to the process that committed them. */
export async function findTeamsWithOverdue(database: Database, olderThanMs: number): Promise<string[]> {
  const rows = await database.query<{ team_id: string }>(overdueSql, { older_than_ms: olderThanMs });
  return rows.map(({ team_id }) => team_id);
}
