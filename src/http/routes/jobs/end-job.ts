import type { z } from 'zod';
import type { JobOutcome } from '../../../contracts/jobs.ts';
import { findJob, type JobRow } from '../../../db/queries/find-job.ts';
import type { Deps } from '../../../deps.ts';
import { isFinished, type JobEnd } from '../../../domain/job.ts';
import { metadataTooLarge } from '../../../domain/metadata.ts';
import { invalid, refuse, Unavailable } from '../../../errors.ts';
import type { Ended } from '../../../temporal/jobs.ts';
import { outcomeOf, storedResult } from './job-answers.ts';

/**
 * Completes or cancels: `command` is said to the job unless it has ended. The same end again is the stored one, another end is
 * refused. `rulings.md` 3.5 and 3.6.
 */
export async function endJob(
  deps: Deps,
  job: JobRow,
  wanted: JobEnd,
  command: () => Promise<Ended>,
): Promise<z.input<typeof JobOutcome>> {
  if (isFinished(job.status)) return outcomeOf(deps, job.job_id, sameEnd(storedResult(job, job.status), wanted));
  const ended = await command();
  if (!ended) return afterTheEnd(deps, job.job_id, wanted);
  if ('result' in ended) return outcomeOf(deps, job.job_id, sameEnd(ended.result, wanted));
  if (ended.refused.because === 'job_finished') throw refuse('job_finished', ended.refused.status);
  throw invalid(['body', 'metadata'], metadataTooLarge);
}

/** The job ended between the look at its record and the command. */
async function afterTheEnd(deps: Deps, jobId: string, wanted: JobEnd): Promise<z.input<typeof JobOutcome>> {
  const job = await findJob(deps.database, jobId);
  if (!job || !isFinished(job.status))
    throw new Unavailable('job', { cause: 'its workflow ended and its record did not' });
  return outcomeOf(deps, jobId, sameEnd(storedResult(job, job.status), wanted));
}

function sameEnd<T extends { status: JobEnd }>(result: T, wanted: JobEnd): T {
  if (result.status !== wanted) throw refuse('job_finished', result.status);
  return result;
}
