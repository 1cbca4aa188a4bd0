import type { JobBilling } from '../../domain/settlement-basis.ts';
import type { Queries } from '../connection/database.ts';
import { type Settled, type Settlement, settledColumns, settlementValues, settling } from '../jobs/settle-job.ts';
import { jobIsOpen } from '../sql/status.ts';
import { type FinishedCall, type FinishedRow, finishBy, finishStatement, isUnknown } from './finish-call.ts';
import { additions, addToJob, sumsWithAdded } from './record-cost.ts';

/** The job is not settled where it has received another command, or where its charge was decided by something that is not so any more. */
const isToBeSettled = `j.ends_with_call and ${jobIsOpen('j.status')} and finished.cost_usd = :cost_usd::numeric
        and finished.error is not distinct from :error
        and (t.budget_mode, t.tokens_per_credit, t.credits_per_dollar)
            is not distinct from (:budget_mode, :tokens_per_credit::int, :credits_per_dollar::numeric)`;

const added = { table: additions('finished', isUnknown), assignments: sumsWithAdded };

const sql = finishStatement(
  'finish_call_and_job',
  `job as (
     select j.* from finished join jobs j on j.job_id = finished.job_id join teams t on t.team_id = j.team_id
      where ${isToBeSettled}
        for update of j
   ), recorded as (${addToJob('finished', isUnknown)} and not exists (select from job)
   ), ${settling(added)}`,
  `, ${settledColumns} from finished left join done on true`,
);

type Row = FinishedRow & (Settled | { status: null });

/** A transaction returns times and large integers as text. */
const toSettled = (job: Settled): Settled => ({
  ...job,
  completed_at: new Date(job.completed_at),
  total_tokens: Number(job.total_tokens),
  total_latency_ms: Number(job.total_latency_ms),
});

/**
 * Writes the result of a call and ends the job that ends with it, in one statement and so in one transaction: the same as `finishCall`
 * and `settleJob`. `billing`: what the charge was decided by. `settled` is undefined where the job is left to its workflow. Undefined:
 * another attempt has the call.
 */
export async function finishCallAndJob(
  database: Queries,
  call: FinishedCall,
  settlement: Settlement,
  { tokens_per_credit, credits_per_dollar }: JobBilling,
): Promise<(FinishedRow & { settled: Settled | undefined }) | undefined> {
  const values = { ...settlementValues(settlement), tokens_per_credit, credits_per_dollar };
  const row = await finishBy<Row>(database, sql, call, values);
  if (!row) return undefined;
  const { error, call_delivery_ids, ...job } = row;
  return { error, call_delivery_ids, settled: job.status === null ? undefined : toSettled(job) };
}
