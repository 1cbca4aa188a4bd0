import { latencyBuckets } from '../../domain/latency-histogram.ts';

/** A select of the sums of calls by the hour, in the range and scope of `job-days.ts`. */
export const callHours = `
  select h.*, t.organization_id from hourly_calls h join teams t on t.team_id = h.team_id
   where h.hour >= :from and h.hour < :until and (:team_id::text is null or h.team_id = :team_id)
     and (:organization_id::text is null or t.organization_id = :organization_id)`;

/** The counts of latencies of several rows; without rows an array of nulls. `condition`: of which rows. */
export const sumOfLatencies = (condition = 'true'): string =>
  `array[${Array.from({ length: latencyBuckets }, (_, bucket) => `sum(latency[${bucket + 1}]) filter (where ${condition})`).join(', ')}]`;

/** When the last call was added to the sums by the hour. */
export const callsCompleteUntil = `(select done_until from sweep_cursors where name = 'hourly calls')`;

/** Of an outcome of a call. One that was cancelled is nobody's error. */
export const isError = `outcome not in ('succeeded', 'cancelled')`;
