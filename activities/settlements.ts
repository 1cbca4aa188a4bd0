import { ApplicationFailure } from '@temporalio/activity';
import { isAuditEntry } from '../src/db/audit.ts';
import { recordCost } from '../src/db/queries/record-cost.ts';
import { settlementBasis } from '../src/db/queries/settle-job.ts';
import type { JobEnd, JobResult } from '../src/domain/job.ts';
import type { Metadata } from '../src/domain/metadata.ts';
import type { ActivityDeps } from './deps.ts';
import { settle } from './settle.ts';

export interface SettleJobInput {
  job_id: string;
  status: JobEnd;
  error_message: string | null;
  cancel_reason: string | null;
  /** Set when an admin cancelled the job. */
  audit_entry?: string;
  metadata: Metadata;
  model_groups_used: string[];
  /** Milliseconds since the epoch. */
  completed_at: number;
}

export const createSettlementActivities = (deps: ActivityDeps) => ({
  /**
   * Adds the tokens and USD of a job's calls to the job. A call that ended by itself has added them with its end; this is for
   * calls that had to be ended. Runs of version 2 and before also ask for it before `settleJob`, which now closes the sums
   * itself. Each call counts once: `calls.recorded_at` is the guard.
   */
  async recordCost({ job_id }: { job_id: string }): Promise<void> {
    await recordCost(deps.database, job_id);
  },

  /**
   * Ends a job: its status, credit, usage and webhook events in one transaction, once the sums of its calls are complete.
   * Exactly once by the guard on the job's status and the unique index `one_deduction_a_job`; a repetition returns the stored
   * end. An `audit_entry` that is none is left out: the job has to end.
   */
  async settleJob({ audit_entry, ...input }: SettleJobInput): Promise<JobResult> {
    await recordCost(deps.database, input.job_id);
    const basis = await settlementBasis(deps.database, input.job_id);
    if (!basis) throw ApplicationFailure.nonRetryable('there is no such job', 'JobNotFound');
    const settlement = {
      ...input,
      ...(audit_entry && isAuditEntry(audit_entry) && { audit_entry }),
      completed_at: new Date(input.completed_at),
      with_call: false,
    };
    const settled = await settle(deps, settlement, basis);
    if (!settled) throw new Error('the job is neither open nor settled');
    return settled;
  },
});
