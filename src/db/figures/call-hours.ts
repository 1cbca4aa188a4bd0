import { latencyBuckets } from '../../domain/latency-histogram.ts';
import { inRange, momentOfDay } from './job-days.ts';

/** Sums of calls with their organizations, in the range and scope of `job-days.ts`; `hour` is the beginning of what they are sums of. */
const callSums = (table: string, hour: string, inRange: string): string => `
  select ${hour} as hour, model_group, outcome, c.team_id, t.organization_id, calls, tokens, cost_usd, latency
    from ${table} c join teams t on t.team_id = c.team_id
   where ${inRange} and (:team_id::text is null or c.team_id = :team_id)
     and (:organization_id::text is null or t.organization_id = :organization_id)`;

export const callHours = callSums('hourly_calls', 'hour', 'hour >= :from and hour < :until');

/** The same of whole days: a twentieth of the rows. */
export const callDays = callSums('daily_calls', momentOfDay, inRange('day'));

/** The counts of latencies of several rows; without rows an array of nulls. `condition`: of which rows. */
export const sumOfLatencies = (condition = 'true'): string =>
  `array[${Array.from({ length: latencyBuckets }, (_, bucket) => `sum(latency[${bucket + 1}]) filter (where ${condition})`).join(', ')}]`;

/** The watermark: every call that was recorded before it is in the sums by the hour. */
export const callsCompleteUntil = `(select done_until from sweep_cursors where name = 'hourly calls')`;

/** A condition on an outcome. A cancelled call is not an error. */
export const isError = `outcome not in ('succeeded', 'cancelled')`;
