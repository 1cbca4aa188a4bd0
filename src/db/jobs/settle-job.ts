import { randomUUID } from 'node:crypto';
import { maxBalance } from '../../domain/credits.ts';
import type { FinalJobStatus, JobEnder, JobTotals } from '../../domain/job-state.ts';
import type { BilledBy } from '../../domain/settlement-basis.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { addKeyUse } from '../keys/add-key-use.ts';
import { outbox } from '../sql/outbox.ts';
import { statement } from '../sql/statement.ts';
import { jobHasEnded, jobIsOpen } from '../sql/status.ts';

export interface Settlement {
  job_id: string;
  status: FinalJobStatus;
  /** 0: free, whatever the balance. */
  credits: number;
  /** What the credits were decided by. Null: the job is free whatever its team is billed by. */
  billed_by: BilledBy | null;
  ended_by: JobEnder | null;
  /** The price of a credit at this moment, an exact decimal, for a job that has none of its own. The ledger keeps it. */
  usd_per_credit?: string | undefined;
  error_message: string | null;
  cancel_reason: string | null;
  /** Null: as the record has it. */
  metadata: Record<string, unknown> | null;
  model_groups_used: string[] | null;
  completed_at: Date;
  /** JSON for `audit`: an admin's cancellation is written into the audit log with the end. */
  audit_entry?: string;
}

/** An end at this moment that leaves everything else in the job's record as it is. */
export const endAsRecorded = (
  job_id: string,
  status: FinalJobStatus,
  error_message: string | null,
  ended_by: JobEnder | null = null,
) => ({
  job_id,
  status,
  error_message,
  ended_by,
  billed_by: null,
  cancel_reason: null,
  metadata: null,
  model_groups_used: null,
  completed_at: new Date(),
});

export interface Settled extends Omit<JobTotals, 'terms'> {
  status: FinalJobStatus;
  completed_at: Date;
  credits_charged: number;
  delivery_ids: string[];
  /** The charge that the balance did not cover has exhausted the credits of the team. */
  is_exhausted: boolean;
  /** False: the job had ended before, and this is the stored end. */
  ended_now: boolean;
}

const duration = 'extract(epoch from done.completed_at - done.created_at)::int';
/** `spec 11.5` */
const data = `jsonb_build_object(
  'total_calls', done.total_calls, 'failed_calls', done.failed_calls,
  'total_tokens', done.total_tokens, 'total_cost_usd', done.total_cost_usd, 'credit_applied', done.credit_applied,
  'duration_seconds', ${duration})
  || case when done.status = 'completed' or done.billing_policy = 'answered'
          then jsonb_build_object('credits_charged', done.credits_charged) else '{}' end
  || case done.status when 'failed' then jsonb_build_object('error_message', done.error_message)
                      when 'cancelled' then jsonb_build_object('reason', done.cancel_reason)
                      else '{}' end`;

/**
 * Whether the job is to be charged, if the account of its team can pay. The database refuses what a policy other than `strict` does not
 * allow.
 */
const isChargeable = `:credits > 0 and (job.billing_policy is not null or :job_status = 'completed' and job.failed_calls = 0)`;

/** Of a job without a reservation: it does not take what others have reserved. `spec 24.5` */
const canPay = (account: string) => `${account}.credits_used + :credits::bigint <= ${maxBalance}
        and ${account}.credits_remaining - :credits::bigint >= case when ${account}.credit_limit is null then -${maxBalance} else ${account}.credits_held end`;

/** The job with what it is charged, if it has no reservation only where the account can pay. `spec 24.4` */
const priced = `
  (select *, case when not (${isChargeable}) then 0
                  when credits_held is null then :credits::int
                  else charge_of_reservation(team_id, credits_held, :credits) end as charge
     from job) priced`;

/** Columns of `daily_usage`, in the order in which they are inserted: what the day's jobs brought in, and what the free ones cost. */
const chargedColumns = [
  'total_calls',
  'failed_calls',
  'charged_jobs',
  'credits_charged',
  'priced_credits',
  'revenue_usd',
  'free_cost_usd',
  'failed_cost_usd',
  'estimated_cost_usd',
];

/** The price of a credit. `spec 21.7` */
const creditPrice = (job: string) => `coalesce(${job}.usd_per_credit, :usd_per_credit::numeric)`;

/** Calls that the statement has finished, as a table of `additions`, and the assignments that add them to the sums of the job. */
interface Added {
  table: string;
  assignments: string;
}

/**
 * The parts of a statement that end and charge the job in `job`, a common table expression with one open job, locked, or none. `done`
 * is the ended job. The balance that did not suffice is read after the wait for the lock of the account, which may exhaust it:
 * `spec 22.2`.
 */
export const settling = (added?: Added): string => `
   charged as (
     update credit_accounts a
        set credits_used = a.credits_used + priced.charge, credits_held = a.credits_held - coalesce(priced.credits_held, 0)
       from ${priced}
      where a.team_id = priced.team_id and (priced.credits_held is not null or priced.charge > 0 and ${canPay('a')})
     returning a.team_id, a.organization_id, a.credits_allocated - a.credits_used as credits_after, a.credit_limit, priced.charge,
               ${creditPrice('priced')} as credit_price
   ), uncharged as (
     select refused.* from job cross join lateral refuse_charge(job.team_id, job.job_id, :credits) refused
      where ${isChargeable} and not exists (select from charged)
   ), ledger as (
     insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type,
                                      credits_amount, credits_before, credits_after, reason, usd_per_credit)
     select :transaction_id, team_id, organization_id, :job_id, 'deduction', charge, credits_after + charge, credits_after,
            'Job ' || :job_status || case when charge < :credits then ' (its reservation)' else '' end, credit_price
       from charged where charge > 0
   ), done as (
     update jobs j
        set ${added ? `${added.assignments},` : ''} status = :job_status, completed_at = greatest(:completed_at, j.created_at),
            updated_at = greatest(:completed_at, j.updated_at),
            error_message = :error_message, cancel_reason = :cancel_reason, metadata = coalesce(:metadata, job.metadata),
            model_groups_used = coalesce(:model_groups_used, job.model_groups_used),
            credit_applied = exists (select from charged where charge > 0),
            credits_charged = coalesce((select charge from charged), 0),
            budget_mode = :budget_mode, credit_rate = :credit_rate, ended_by = :ended_by,
            credit_limit = case when exists (select from charged) then (select credit_limit from charged) else account.credit_limit end,
            credits_remaining = coalesce((select credits_after from charged), (select credits_remaining from uncharged),
                                         account.credits_remaining)
       from job ${added ? `join ${added.table} added on added.job_id = job.job_id` : ''}
            left join credit_accounts account on account.team_id = job.team_id
      where j.job_id = job.job_id
     returning j.*
   ), key_use as (${addKeyUse('done', 'done.credits_charged')}
   ), usage as (
     insert into daily_usage (team_id, organization_id, day, job_type, completed_jobs, failed_jobs, cancelled_jobs,
                              total_cost_usd, total_tokens, ${chargedColumns.join(', ')})
     select team_id, organization_id, (created_at at time zone 'utc')::date, job_type, (status = 'completed')::int,
            (status = 'failed')::int, (status = 'cancelled')::int, total_cost_usd, total_tokens,
            total_calls, failed_calls, credit_applied::int, credits_charged,
            (${creditPrice('done')} is not null)::int * credits_charged, credits_charged * coalesce(${creditPrice('done')}, 0),
            (not credit_applied)::int * total_cost_usd, (status = 'failed')::int * total_cost_usd,
            estimated_cost_usd
       from done
     on conflict (team_id, day, job_type) do update
        set completed_jobs = daily_usage.completed_jobs + excluded.completed_jobs,
            failed_jobs = daily_usage.failed_jobs + excluded.failed_jobs,
            cancelled_jobs = daily_usage.cancelled_jobs + excluded.cancelled_jobs,
            total_cost_usd = daily_usage.total_cost_usd + excluded.total_cost_usd,
            total_tokens = daily_usage.total_tokens + excluded.total_tokens,
            ${chargedColumns.map((column) => `${column} = daily_usage.${column} + excluded.${column}`).join(', ')}
   ), events as (${outbox('done', "'job.' || done.status", data)})`;

/** The columns of `Settled`, of a statement with the parts above. */
export const settledColumns = `done.status, done.credit_applied, done.credits_charged, done.credits_remaining, done.total_calls,
          done.failed_calls, done.total_tokens, done.total_cost_usd, done.total_latency_ms, done.completed_at,
          array(select delivery_id from events) as delivery_ids,
          coalesce((select is_exhausted from uncharged), false) as is_exhausted, true as ended_now`;

const settleSql = (audited: string): string => `
   with job as (
     select * from jobs where job_id = :job_id and ${jobIsOpen()} for update
   ), ${settling()}${audited}
   select ${settledColumns} from done`;

const sql = statement('settle_job', settleSql(''));
const auditedSql = statement(
  'settle_job_and_audit',
  settleSql(`, audited as (${audit('done')} on conflict (audit_id) do nothing)`),
);

const storedSql = statement(
  'settled_job',
  `select status, credit_applied, credits_charged, credits_remaining, total_calls, failed_calls, total_tokens, total_cost_usd,
          total_latency_ms, completed_at, array[]::uuid[] as delivery_ids, false as is_exhausted,
          false as ended_now
     from jobs where job_id = :job_id and ${jobHasEnded()}`,
);

/** The values of `settling`. */
export const settlementValues = ({ billed_by, ...settlement }: Omit<Settlement, 'audit_entry'>) => ({
  job_id: settlement.job_id,
  job_status: settlement.status,
  credits: settlement.credits,
  budget_mode: billed_by?.budget_mode ?? null,
  credit_rate: billed_by?.credit_rate ?? null,
  ended_by: settlement.ended_by,
  usd_per_credit: settlement.usd_per_credit ?? null,
  transaction_id: randomUUID(),
  completed_at: settlement.completed_at,
  error_message: settlement.error_message,
  cancel_reason: settlement.cancel_reason,
  metadata: settlement.metadata,
  model_groups_used: settlement.model_groups_used,
});

/**
 * Ends a job and charges for it, in one statement and so in one transaction. Exactly once: the row lock on an open job lets one
 * statement through, and the unique index `one_deduction_a_job` backs it. For a job that has ended, returns the stored end. Undefined: there is
 * no such job.
 */
export async function settleJob(database: Database, settlement: Settlement): Promise<Settled | undefined> {
  const { audit_entry } = settlement;
  const values = { ...settlementValues(settlement), ...(audit_entry && { audit_entry }) };
  const [settled] = await database.query<Settled>(audit_entry ? auditedSql : sql, values);
  if (settled) return settled;
  const [stored] = await database.query<Settled>(storedSql, { job_id: settlement.job_id });
  return stored;
}
