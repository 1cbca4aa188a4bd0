import type { Gateway } from '../../support/gateway.ts';

/** Sets the row of the price list of a team, or with null of all teams. */
export async function setPrice(
  gateway: { readonly current: Gateway },
  teamId: string | null,
  jobType: string,
  row: Record<string, unknown>,
): Promise<void> {
  const { pool } = gateway.current.deps.database;
  await pool.query('delete from job_type_prices where team_id is not distinct from $1 and job_type = $2', [
    teamId,
    jobType,
  ]);
  await pool.query('insert into job_type_prices (team_id, job_type, credits, billing_policy) values ($1, $2, $3, $4)', [
    teamId,
    jobType,
    row.credits ?? null,
    row.billing_policy ?? null,
  ]);
}
