import { randomUUID } from 'node:crypto';
import { aboveMaxima } from '../../calls/refusal-of-new-job.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { changeJobBudget } from '../../db/jobs/change-job-budget.ts';
import { findJob } from '../../db/jobs/find-job.ts';
import { cutoffOf, type JobBudgetView } from '../../db/jobs/job-budget.ts';
import type { BudgetFields } from '../../domain/job-budget.ts';
import { type FinalJobStatus, isFinished } from '../../domain/job-state.ts';
import { refuse, Unavailable } from '../../errors.ts';
import { requestFields } from '../../log.ts';
import type { ServiceContext } from '../context.ts';
import { getJobForCaller } from './get-job.ts';

/** Changes the budget of an open job: a team up to its maxima, an admin beyond them, which is audited. `spec 23.5` */
export async function changeBudget(
  context: ServiceContext,
  jobId: string,
  changes: BudgetFields,
): Promise<{ jobId: string; budget: JobBudgetView }> {
  const { deps, caller } = context;
  const job = await getJobForCaller(context, jobId);
  const { job_id, team_id } = job;
  if (isFinished(job.status)) throw refuse('job_finished', job.status);
  if (job.is_past_cutoff) throw refuse('job_finished', 'failed');
  const isTeam = caller.kind === 'team';
  const { above, budget } = await changeJobBudget(deps.database, {
    job_id,
    changes,
    is_bounded: isTeam,
    ...(!isTeam && {
      audit_entry: auditEntry(randomUUID(), context, {
        action: 'changed_job_budget',
        resource_type: 'job',
        resource_id: job_id,
        details: { ...changes },
      }),
    }),
  });
  if (above) throw aboveMaxima(['body'], above);
  if (!budget) throw refuse('job_finished', await endOf(context, job_id));
  if ('deadline_seconds' in changes || 'deadline_grace_seconds' in changes) await sendDeadline(context, job_id, budget);
  deps.changes.publish('jobs', { job_id, team_id, status: job.status });
  return { jobId: job_id, budget };
}

/** A job that is open in its record is past its deadline, which ends it as failed. */
async function endOf({ deps }: ServiceContext, jobId: string): Promise<FinalJobStatus> {
  const status = (await findJob(deps.database, jobId))?.status;
  return status && isFinished(status) ? status : 'failed';
}

/**
 * The record has the deadline, and what decides by it reads it there. While Temporal is away the workflow receives it later: maintenance
 * sends it again to a job that has not ended by it.
 */
async function sendDeadline(context: ServiceContext, jobId: string, budget: JobBudgetView): Promise<void> {
  const { deps } = context;
  await deps.jobs.changeDeadline(jobId, cutoffOf(budget)).catch((error: unknown) => {
    if (!(error instanceof Unavailable)) throw error;
    deps.log.warn({ ...requestFields(context), job_id: jobId }, 'budgets: deadline not sent');
  });
}
