// The cutoff of a job: the moment at which it ends if it is open, which is its deadline and the grace after it. For a row of `job_budgets`.

export const cutoffOf = (budget: string): string =>
  `(${budget}.deadline_at + make_interval(secs => ${budget}.deadline_grace_seconds))`;

/** Milliseconds until the cutoff; null without a deadline. Seven days and ten minutes fit into an integer. */
export const msUntilCutoff = (budget: string): string =>
  `ceil(extract(epoch from ${cutoffOf(budget)} - clock_timestamp()) * 1000)::int`;

export const isPastCutoff = (jobId: string): string =>
  `exists (select from job_budgets b where b.job_id = ${jobId} and ${cutoffOf('b')} <= now())`;
