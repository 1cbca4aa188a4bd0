import { callError } from '../../domain/call-state.ts';
import { latencyBounds, latencyBuckets } from '../../domain/latency-histogram.ts';
import type { Database } from '../connection/database.ts';
import { readOldestTransaction } from '../sql/database-clock.ts';
import { statement } from '../sql/statement.ts';
import { callWasMade } from '../sql/status.ts';
import { readCursor } from './sweep-cursors.ts';

/** How many calls fall into each bucket of latencies, of rows with the column `latency_bucket`. */
const histogram = `array[${Array.from({ length: latencyBuckets }, (_, bucket) => `count(*) filter (where latency_bucket = ${bucket})`).join(', ')}]::int[]`;

const bucketSql = (latency: string): string => `width_bucket(${latency}, array[${latencyBounds.join(', ')}])`;

/** Adds the proposed row of an insertion to the one that is there. */
const addTo = (table: string, counts: readonly string[]): string =>
  [...counts, 'tokens', 'cost_usd']
    .map((column) => `${column} = ${table}.${column} + excluded.${column}`)
    .concat(
      `latency = (select array_agg(one + other order by position)
                    from unnest(${table}.latency, excluded.latency) with ordinality as both_counts (one, other, position))`,
    )
    .join(', ');

/**
 * A call that failed without an answer of a model was cancelled, or interrupted with its worker. The hour is that of its end: one
 * that no attempt ended is recorded later, with the end of its job.
 */
const sql = statement(
  'roll_up_calls',
  `with moved as (
     update sweep_cursors set done_until = :until where name = 'hourly calls' and done_until = :from returning name
   ), recorded as materialized (
     select c.call_id, date_trunc('hour', c.finished_at, 'utc') as hour, c.team_id, c.model_group_used as model_group,
            coalesce(last_attempt.model, c.resolved_model) as model,
            c.status = 'succeeded' and last_attempt.model <> c.resolved_model as is_fallback,
            case when c.status = 'succeeded' then 'succeeded' when c.failure is not null then c.failure
                 when c.error in ('${callError.cancelled}', '${callError.deadline}') then 'cancelled' else 'interrupted' end as outcome,
            c.total_tokens as tokens, c.cost_usd, ${bucketSql('c.latency_ms')} as latency_bucket
       from moved join calls c on c.recorded_at >= :from and c.recorded_at < :until and ${callWasMade('c.status')}
       left join lateral (select a.model from call_attempts a where a.call_id = c.call_id
                           order by a.attempt_number desc limit 1) last_attempt on true
   ), of_calls as (
     insert into hourly_calls (hour, team_id, model_group, model, outcome, calls, fallbacks, tokens, cost_usd, latency)
     select hour, team_id, model_group, model, outcome, count(*), count(*) filter (where is_fallback),
            sum(tokens), sum(cost_usd), ${histogram}
       from recorded group by hour, team_id, model_group, model, outcome
     on conflict (hour, team_id, model_group, model, outcome) do update set ${addTo('hourly_calls', ['calls', 'fallbacks'])}
   ), of_days as (
     insert into daily_calls (day, team_id, model_group, outcome, calls, fallbacks, tokens, cost_usd, latency)
     select (hour at time zone 'utc')::date, team_id, model_group, outcome, count(*), count(*) filter (where is_fallback),
            sum(tokens), sum(cost_usd), ${histogram}
       from recorded group by 1, team_id, model_group, outcome
     on conflict (day, team_id, model_group, outcome) do update set ${addTo('daily_calls', ['calls', 'fallbacks'])}
   ), of_attempts as (
     insert into hourly_attempts (hour, model, model_group, outcome, attempts, tokens, cost_usd, latency)
     select hour, model, model_group, outcome, count(*), sum(tokens), sum(cost_usd), ${histogram}
       from (select r.hour, a.model, r.model_group, a.outcome, a.prompt_tokens + a.completion_tokens as tokens, a.cost_usd,
                    ${bucketSql('a.latency_ms')} as latency_bucket
               from recorded r join call_attempts a on a.call_id = r.call_id) attempts
      group by hour, model, model_group, outcome
     on conflict (hour, model, model_group, outcome) do update set ${addTo('hourly_attempts', ['attempts'])}
   )
   select (select count(*) from recorded)::int as calls from moved`,
);

/** The time of the call after the first `:at_most`. */
const sliceSql = statement(
  'end_of_roll_up',
  `select recorded_at as until from calls where recorded_at >= :from and recorded_at < :until
    order by recorded_at offset :at_most limit 1`,
);

/** Calls that were recorded from a time on and before another. */
export interface Slice {
  from: Date;
  until: Date;
}

export interface RollUpOptions {
  /** One statement adds so many calls, so that each is short. */
  callsAtOnce?: number;
  /**
   * Later calls wait for the next round. A transaction has its time a moment before PostgreSQL shows it as open, and a loaded machine
   * can make that moment long.
   */
  settledAfterMs?: number;
}

/** The range cut to about so many calls. Calls of one millisecond are never separated. */
export async function cutSlice(database: Database, { from, until }: Slice, atMost: number): Promise<Slice> {
  const [next] = await database.query<{ until: Date }>(sliceSql, { from, until, at_most: atMost });
  const end = next?.until ?? until;
  return { from, until: new Date(Math.max(end.getTime(), from.getTime() + 1)) };
}

/** Adds the calls to the sums and moves the cursor. Returns how many; undefined when the cursor is not at the beginning of the slice. */
export async function addCalls(database: Database, { from, until }: Slice): Promise<number | undefined> {
  const [added] = await database.query<{ calls: number }>(sql, { from, until });
  return added?.calls;
}

/**
 * Adds the calls that were recorded since the last round to the sums of their hours, and returns how many. Each call counts once, however
 * many rounds run at once and wherever one ends: the statement that adds calls moves the cursor, if it is still where it was read. It is
 * moved up to the beginning of the oldest open transaction, which may still record a call with an earlier time.
 */
export async function rollUpCalls(
  database: Database,
  afterSlice: () => void,
  { callsAtOnce = 5_000, settledAfterMs = 10_000 }: RollUpOptions = {},
): Promise<number> {
  const { now, since } = await readOldestTransaction(database);
  const until = new Date(Math.min(now.getTime() - settledAfterMs, since.getTime()));
  let calls = 0;
  for (;;) {
    const { created_at: from } = await readCursor(database, 'hourly calls');
    if (from >= until) return calls;
    const added = await addCalls(database, await cutSlice(database, { from, until }, callsAtOnce));
    // Another round has moved the cursor, and goes on.
    if (added === undefined) return calls;
    calls += added;
    afterSlice();
  }
}
