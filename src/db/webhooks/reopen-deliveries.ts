import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { TimeRange } from '../../domain/time/whole-days.ts';
import type { Database } from '../connection/database.ts';
import { executeIn } from '../connection/execute-in.ts';
import { unnamed, type Values } from '../sql/statement.ts';

/** Deliveries to webhooks that are switched on. */
export interface DeliveriesToRepeat extends TimeRange {
  team_id?: string | undefined;
  webhook_id?: string | undefined;
  job_id?: string | undefined;
}

const conditions = {
  team_id: 'w.team_id = :team_id',
  webhook_id: 'd.webhook_id = :webhook_id',
  job_id: 'd.job_id = :job_id',
  from: 'd.created_at >= :from::timestamptz',
  before: 'd.created_at < :before::timestamptz',
};

function matching(selection: DeliveriesToRepeat): { sql: string; values: Values } {
  const names = (Object.keys(conditions) as (keyof typeof conditions)[]).filter(
    (name) => (selection[name] ?? null) !== null,
  );
  const written = (value: unknown) => (value instanceof Date ? value.toISOString() : value);
  return {
    sql: ['w.is_active', ...names.map((name) => conditions[name])].join(' and '),
    values: Object.fromEntries(names.map((name) => [name, written(selection[name])])),
  };
}

const tables = 'webhook_deliveries d join webhooks w on w.webhook_id = d.webhook_id';
const oldestFirst = 'order by d.created_at, d.delivery_id';

export interface ReopenedDelivery {
  delivery_id: string;
  webhook_id: string;
  team_id: string;
}

/** Makes exhausted deliveries pending again and not started, the oldest first, and counts the others. */
export async function reopenExhausted(
  entities: SqlEntityManager,
  selection: DeliveriesToRepeat,
  at_most: number,
): Promise<{ reopened: ReopenedDelivery[]; remaining: number }> {
  const { sql, values } = matching(selection);
  const isMatch = `d.status = 'exhausted' and ${sql}`;
  const text = `
    with failed as (
      select d.delivery_id, d.webhook_id, w.team_id from ${tables} where ${isMatch} ${oldestFirst} limit :at_most for update of d
    )
    update webhook_deliveries d
       set status = 'pending', started_at = null, finished_at = null, attempts_before = attempts
      from failed where d.delivery_id = failed.delivery_id
    returning failed.delivery_id, failed.webhook_id, failed.team_id`;
  const reopened = await executeIn<ReopenedDelivery>(entities, unnamed(text), { ...values, at_most });
  const count = unnamed(`select count(*)::int as remaining from ${tables} where ${isMatch}`);
  const [counted] = await executeIn<{ remaining: number }>(entities, count, values);
  return { reopened, remaining: counted!.remaining };
}

/** A delivery is left alone for so long after an attempt, so that a repeated request passes on to the next ones. */
const restMs = 60_000;

/** Pending deliveries that wait for a further attempt, the oldest first, and how many there are. */
export async function findWaiting(
  database: Database,
  selection: DeliveriesToRepeat,
  at_most: number,
): Promise<{ waiting: ReopenedDelivery[]; total: number }> {
  const { sql, values } = matching(selection);
  const text = `
    select d.delivery_id, d.webhook_id, w.team_id, count(*) over ()::int as total
      from ${tables}
     where d.status = 'pending' and d.started_at is not null and ${sql}
       and exists (select from webhook_delivery_attempts a where a.delivery_id = d.delivery_id and a.attempt_number > d.attempts_before)
       and not exists (select from webhook_delivery_attempts a
                        where a.delivery_id = d.delivery_id and a.started_at > now() - interval '${restMs} milliseconds')
     ${oldestFirst} limit :at_most`;
  const waiting = await database.reports.query<ReopenedDelivery & { total: number }>(unnamed(text), {
    ...values,
    at_most,
  });
  return { waiting, total: waiting[0]?.total ?? 0 };
}
