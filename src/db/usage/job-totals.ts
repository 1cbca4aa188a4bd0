/** Jobs and what they took. `total_cost_usd` is an exact decimal. */
export interface JobTotals {
  total_jobs: number;
  completed_jobs: number;
  failed_jobs: number;
  cancelled_jobs: number;
  total_cost_usd: string;
  total_tokens: number;
}

/** The rows of daily totals from `:from` to before `:until`, the first moments of two months. */
export const inMonth = `day >= (:from::timestamptz at time zone 'utc')::date and day < (:until::timestamptz at time zone 'utc')::date`;
