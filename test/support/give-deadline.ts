import type { Gateway } from './gateway.ts';

/** Gives the open job a deadline in its record, so many milliseconds from now. Its workflow does not know. Returns the moment. */
export async function recordDeadline({ deps }: Pick<Gateway, 'deps'>, job: string, inMs: number): Promise<Date> {
  const { rows } = await deps.database.pool.query(
    `insert into job_budgets (job_id, deadline_seconds, deadline_grace_seconds, default_output_tokens, deadline_at)
     values ($1, 1, 0, 16384, now() + $2 * interval '1 millisecond')
     on conflict (job_id) do update set deadline_seconds = 1, deadline_at = excluded.deadline_at
     returning deadline_at`,
    [job, inMs],
  );
  return rows[0].deadline_at;
}

/** The same, and its workflow knows. */
export async function giveDeadline(gateway: Pick<Gateway, 'deps'>, job: string, inMs: number): Promise<Date> {
  const at = await recordDeadline(gateway, job, inMs);
  await gateway.deps.jobs.changeDeadline(job, at);
  return at;
}
