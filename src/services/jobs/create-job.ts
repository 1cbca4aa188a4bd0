import type { z } from 'zod';
import { refusalOfNewJob } from '../../calls/refusal-of-new-job.ts';
import type { JobCreation } from '../../contracts/jobs.ts';
import { insertJob } from '../../db/jobs/insert-job.ts';
import { cutoffOf, type JobBudgetView } from '../../db/jobs/job-budget.ts';
import { type JobStartRow, newJobStartRow } from '../../db/jobs/job-start-row.ts';
import { refuse, Unavailable } from '../../errors.ts';
import { storageOfJob, storageOfMetadata } from '../../holders/stored-bytes.ts';
import { requireTeam } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { newJob } from './new-job.ts';

export interface CreatedJob {
  row: JobStartRow;
  /** Null: it has no reservation. */
  credits_held: number | null;
  /** Null: it has none. */
  budget: JobBudgetView | null;
}

/** Creates a job of the caller's team, and starts its workflow. */
export async function createJob(context: ServiceContext, input: z.output<typeof JobCreation>): Promise<CreatedJob> {
  const { deps, caller } = context;
  requireTeam(caller, input.team_id);
  deps.jobs.requireWorkers();
  const job = newJob(context, input);
  // Calls have a limit that bounds the jobs that are made for them; these have none. Nor is metadata refused that comes with the end.
  deps.storedBytes.require(job.team_id, storageOfJob + storageOfMetadata(job.metadata));
  const retractable = { newJobId: job.job_id, teamId: job.team_id, operation: context.operation };
  const inserted = await insertJob(deps.database, job).catch((error: unknown) => {
    // PostgreSQL may insert it after the outage.
    if (error instanceof Unavailable) deps.retractions.later(retractable);
    throw refusalOfNewJob(error);
  });
  if ('refusal' in inserted) {
    if (inserted.is_exhausted) deps.deliveries.startNew(job.team_id);
    throw refuse(inserted.refusal);
  }
  const { created_at, created_now, delivery_ids, credits_held, budget } = inserted;
  const row = newJobStartRow({ ...job, created_at, single_call: false, cutoff_at: cutoffOf(budget) });
  try {
    await deps.jobs.start(row);
  } catch (error) {
    if (created_now) await deps.retractions.retractNowOrLater(retractable);
    throw error;
  }
  deps.deliveries.start(job.team_id, delivery_ids);
  deps.changes.publish('jobs', { job_id: job.job_id, team_id: job.team_id, status: 'pending' });
  return { row, credits_held, budget };
}
