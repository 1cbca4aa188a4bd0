import type { Gateway } from './gateway.ts';

/** Changes the record as no statement of the product can: without triggers and foreign keys. */
async function rewrite({ deps }: Pick<Gateway, 'deps'>, job: string, statements: string): Promise<void> {
  const client = await deps.database.pool.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(statements, [job]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

const withoutCharge = `
  lost as (delete from credit_transactions where job_id = $1 returning team_id, credits_amount),
  restored as (update credit_accounts a set credits_used = credits_used - lost.credits_amount
                 from lost where a.team_id = lost.team_id),
  deleted_usage as (delete from daily_usage u using jobs j where j.job_id = $1 and u.team_id = j.team_id)`;

/** Restores the record from before the end of the job, as from a back-up or a standby that lagged behind. */
export const restoreFromBeforeEnd = (gateway: Pick<Gateway, 'deps'>, job: string): Promise<void> =>
  rewrite(
    gateway,
    job,
    `with ${withoutCharge}
     update jobs set status = 'in_progress', completed_at = null, credit_applied = false, credits_charged = 0, credits_remaining = null,
                     ended_by = null
      where job_id = $1`,
  );

/** Restores the record from before the creation of the job. */
export const restoreFromBeforeCreation = (gateway: Pick<Gateway, 'deps'>, job: string): Promise<void> =>
  rewrite(
    gateway,
    job,
    `with ${withoutCharge},
          attempts as (delete from call_attempts a using calls c where c.job_id = $1 and a.call_id = c.call_id),
          payloads as (delete from call_payloads p using calls c where c.job_id = $1 and p.call_id = c.call_id),
          deleted_calls as (delete from calls where job_id = $1),
          deliveries as (delete from webhook_deliveries where job_id = $1)
     delete from jobs where job_id = $1`,
  );
