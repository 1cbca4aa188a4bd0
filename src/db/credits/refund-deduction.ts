import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { addKeyUse } from '../keys/add-key-use.ts';
import { statement } from '../sql/statement.ts';
import { type TransactionRow, transactionColumns, writeTransaction } from './write-transaction.ts';

export interface Refund {
  /** The same when the request is executed again. */
  transaction_id: string;
  team_id: string;
  job_id: string;
  reason: string;
  audit_entry: string;
}

/** The ledger's row, or why there is none. */
export type RefundOutcome = TransactionRow | 'no_deduction' | 'already_refunded';

/**
 * The account's row is locked before the ledger is written. The usage of the job's day loses what the charge had added to it, and
 * that of the job's key today as much, whenever the job was charged. Once for
 * each job by the unique index `one_refund_a_job`: a statement that waited for the lock sees the account as it is then, but the ledger
 * as it was before.
 */
const refundSql = statement(
  'refund_deduction',
  `with deduction as (
     select job_id, credits_amount, usd_per_credit from credit_transactions
      where job_id = :job_id and team_id = :team_id and transaction_type = 'deduction'
   ), refunded as (
     update credit_accounts a set credits_used = a.credits_used - deduction.credits_amount
       from deduction
      where a.team_id = :team_id and a.credits_used >= deduction.credits_amount
        and not exists (select from credit_transactions where job_id = :job_id and transaction_type = 'refund')
     returning a.team_id, a.organization_id, deduction.credits_amount, deduction.usd_per_credit,
               a.credits_allocated - a.credits_used as credits_after
   ), ledger as (
     insert into credit_transactions (transaction_id, team_id, organization_id, job_id, transaction_type,
                                      credits_amount, credits_before, credits_after, reason, usd_per_credit)
     select :transaction_id, team_id, organization_id, :job_id, 'refund',
            credits_amount, credits_after - credits_amount, credits_after, :reason, usd_per_credit
       from refunded
     returning ${transactionColumns}
   ), usage as (
     update daily_usage u
        set credits_refunded = u.credits_refunded + refunded.credits_amount,
            priced_credits = u.priced_credits - (refunded.usd_per_credit is not null)::int * refunded.credits_amount,
            revenue_usd = u.revenue_usd - refunded.credits_amount * coalesce(refunded.usd_per_credit, 0)
       from refunded, jobs j
      where j.job_id = :job_id and u.team_id = j.team_id and u.day = (j.created_at at time zone 'utc')::date
        and u.job_type = j.job_type
   ), refunded_job as (
     select j.key_id, refunded.credits_amount from refunded join jobs j on j.job_id = :job_id
   ), key_use as (${addKeyUse('refunded_job', '-refunded_job.credits_amount')}
   ), audited as (${audit('refunded')})
   select * from ledger`,
);
const deductionSql = statement(
  'deduction_exists',
  `select from credit_transactions where job_id = :job_id and team_id = :team_id and transaction_type = 'deduction'`,
);

/** Refunds what a job of the team cost, once. `spec 6.4` */
export async function refundDeduction(database: Database, refund: Refund): Promise<RefundOutcome> {
  const { transaction_id, team_id, job_id, reason, audit_entry } = refund;
  const written = await writeTransaction(database, refundSql, {
    transaction_id,
    team_id,
    job_id,
    reason,
    audit_entry,
  });
  if (written) return written;
  const deductions = await database.query(deductionSql, { team_id, job_id });
  return deductions.length > 0 ? 'already_refunded' : 'no_deduction';
}
