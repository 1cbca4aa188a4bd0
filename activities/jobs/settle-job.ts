import { ApplicationFailure } from '@temporalio/activity';
import { ApplicationFailureCategory } from '@temporalio/common';
import { openEnd } from '../../src/auth/sealed-end.ts';
import { type SettlingDeps, settle } from '../../src/calls/settle.ts';
import { recordCost } from '../../src/db/calls/record-cost.ts';
import { settlementBasisAndEnd } from '../../src/db/jobs/end-in-record.ts';
import { settlementBasis } from '../../src/db/jobs/settlement-basis.ts';
import { confirmedEnd, needsRecord } from '../../src/domain/confirmed-end.ts';
import type { JobResult } from '../../src/domain/job-state.ts';
import type { RecordCostInput, SettleJobInput } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';

export interface SettleDeps extends SettlingDeps, Pick<ActivityDeps, 'secrets'> {
  config: SettlingDeps['config'] & Pick<ActivityDeps['config'], 'TASK_JOB_IDLE'>;
  log: Pick<ActivityDeps['log'], 'warn'>;
}

/** Retries until the job has been idle for long enough by the record: `TASK_JOB_IDLE` was increased, or the input is forged. */
const notIdleYet = () =>
  ApplicationFailure.create({
    message: 'the job is not idle yet',
    type: 'NotIdleYet',
    category: ApplicationFailureCategory.BENIGN,
  });

/** There is no such job: it was retracted with its call. Its workflow ends, and nothing is written. */
const endOfNoJob = ({ completed_at }: SettleJobInput): JobResult => ({
  status: 'failed',
  completed_at: new Date(completed_at).toISOString(),
  credit_applied: false,
  credits_remaining: 0,
  total_calls: 0,
  failed_calls: 0,
  total_tokens: 0,
  total_cost_usd: '0',
  total_latency_ms: 0,
});

export const createSettlementActivities = (deps: SettleDeps) => ({
  /**
   * Adds the tokens and USD of a job's calls to the job. A call that a worker finished has added them with its end; this is for
   * calls that were closed. Each call counts once: `calls.recorded_at` is the guard.
   */
  async recordCost({ job_id }: RecordCostInput): Promise<void> {
    await recordCost(deps.database, job_id);
  },

  /**
   * Ends a job: its status, credit, usage and webhook events in one transaction, once the sums of its calls are complete.
   * Exactly once by the guard on the job's status and the unique index `one_deduction_a_job`; a repetition returns the stored
   * end. The input may come from anybody who reaches Temporal: only a confirmed end is charged or audited.
   */
  async settleJob(input: SettleJobInput): Promise<JobResult> {
    const { job_id, cancel_reason, metadata, model_groups_used } = input;
    await recordCost(deps.database, job_id);
    const commanded = openEnd(deps.secrets, job_id, input.sealed_end);
    const asked = { ...input, ended_by: input.ended_by ?? null };
    const record = needsRecord(asked, commanded)
      ? await settlementBasisAndEnd(deps.database, job_id, deps.config.TASK_JOB_IDLE / 1_000)
      : undefined;
    const basis = record ?? (await settlementBasis(deps.database, job_id));
    if (!basis) return endOfNoJob(input);
    const end = confirmedEnd(asked, commanded, record);
    if (!end) throw notIdleYet();
    // Somebody in Temporal has sent it, or an api with another MASTER_KEY.
    if (end.ended_by === 'operator' && input.ended_by !== 'operator')
      deps.log.warn({ job_id }, 'settlement: end without a command');
    // The fields are named one by one: a forged input may have others.
    const asAsked = { job_id, cancel_reason, metadata, model_groups_used, completed_at: new Date(input.completed_at) };
    const settlement = { ...asAsked, ...end };
    const settled = await settle(deps, settlement, basis);
    if (!settled) throw new Error('the job is neither open nor settled');
    return settled;
  },
});
