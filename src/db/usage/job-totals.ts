/** Jobs and what they took. `total_cost_usd` is an exact decimal. */
export interface JobTotals {
  total_jobs: number;
  completed_jobs: number;
  failed_jobs: number;
  cancelled_jobs: number;
  total_cost_usd: string;
  total_tokens: number;
}

/** The rows of daily totals from `$2` to before `$3`, the first moments of two months. */
export const inMonth = `day >= ($2::timestamptz at time zone 'utc')::date and day < ($3::timestamptz at time zone 'utc')::date`;
