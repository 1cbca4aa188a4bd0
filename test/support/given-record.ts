import { randomUUID } from 'node:crypto';
import { auditEntry } from '../../src/db/audit/write-audit-entry.ts';
import type { Database } from '../../src/db/connection/database.ts';
import { allocateCredits } from '../../src/db/credits/change-balance.ts';
import { refundDeduction } from '../../src/db/credits/refund-deduction.ts';
import { endAsRecorded, settleJob } from '../../src/db/jobs/settle-job.ts';
import type { FinalJobStatus } from '../../src/domain/job-state.ts';
import { type GivenCall, insertRecordedCall } from './recorded-calls.ts';

const auditOf = (action: string, team_id: string) =>
  auditEntry(
    randomUUID(),
    { caller: { kind: 'platform' }, ip: '' },
    { action, resource_type: 'team', resource_id: team_id },
  );

/** A team in the organization, with an unlimited budget and these credits. */
export async function recordTeam(
  database: Database,
  organization: string,
  team: string,
  credits: number,
): Promise<void> {
  const { pool } = database;
  await pool.query('insert into organizations (organization_id, name) values ($1, $2) on conflict do nothing', [
    organization,
    `The ${organization}`,
  ]);
  await pool.query('insert into teams (team_id, organization_id, proxy_team_id, team_alias) values ($1, $2, $1, $3)', [
    team,
    organization,
    `Alias of ${team}`,
  ]);
  await pool.query('insert into credit_accounts (team_id, organization_id) values ($1, $2)', [team, organization]);
  await allocateCredits(database, {
    transaction_id: randomUUID(),
    team_id: team,
    credits_amount: credits,
    reason: 'test',
    audit_entry: auditOf('allocated_credits', team),
  });
}

export interface GivenRecord {
  team: string;
  job_type?: string;
  user_id?: string | null;
  created_at: Date;
  /** The end of the job. Absent: it is open. */
  end?: FinalJobStatus;
  credits?: number;
  usd_per_credit?: string;
  refunded?: boolean;
  calls?: GivenCall[];
}

/** A job with its calls, its charge and its refund, by the statements that the product records them with. */
export async function recordJob(database: Database, given: GivenRecord): Promise<string> {
  const { team, job_type = 'report', user_id = null, created_at, end, credits = 1, calls = [] } = given;
  const job = randomUUID();
  await database.pool.query(
    `insert into jobs (job_id, team_id, organization_id, job_type, user_id, status, created_at)
     select $1, team_id, organization_id, $3, $4, 'in_progress', $5 from teams where team_id = $2`,
    [job, team, job_type, user_id, created_at],
  );
  for (const call of calls)
    await insertRecordedCall(database.pool, { team, job }, { finished_at: created_at, ...call });
  await database.pool.query(
    `update jobs set total_calls = c.calls, failed_calls = c.failed, total_tokens = c.tokens, total_cost_usd = c.cost, total_latency_ms = c.latency
       from (select count(*) as calls, count(*) filter (where status = 'failed') as failed, coalesce(sum(total_tokens), 0) as tokens,
                    coalesce(sum(cost_usd), 0) as cost, coalesce(sum(latency_ms), 0) as latency from calls where job_id = $1) c
      where job_id = $1`,
    [job],
  );
  if (!end) return job;
  const error = end === 'failed' ? 'it failed' : null;
  const usd_per_credit = given.usd_per_credit;
  await settleJob(database, { ...endAsRecorded(job, end, error), credits, usd_per_credit });
  if (given.refunded) {
    const audit_entry = auditOf('refunded_credits', team);
    await refundDeduction(database, {
      transaction_id: randomUUID(),
      team_id: team,
      job_id: job,
      reason: 'test',
      audit_entry,
    });
  }
  return job;
}
