import type { z } from 'zod';
import type { JobOutcome } from '../../../../contracts/jobs.ts';
import { findJob, type JobRow, resultInRecord } from '../../../../db/jobs/find-job.ts';
import type { FinalJobStatus, JobResult } from '../../../../domain/job-state.ts';
import { metadataTooLarge } from '../../../../domain/metadata.ts';
import { invalid, Refusal, refuse, Unavailable } from '../../../../errors.ts';
import { holderOf } from '../../../../services/holder-of.ts';
import type { CommandOutcome, CommandWait } from '../../../../temporal/commands/jobs.ts';
import type { Deps } from '../../../ports.ts';
import type { RequestContext } from '../../../route.ts';
import { outcomeOf } from './serialize-job.ts';

/**
 * Completes or cancels: `command` is sent to the job unless it has ended. Repeating the same end returns the stored one,
 * another end is refused. `spec 3.5` and `spec 3.6`
 */
export async function endJob(
  context: RequestContext,
  job: JobRow,
  requested: FinalJobStatus,
  command: (wait: CommandWait) => Promise<CommandOutcome>,
): Promise<z.input<typeof JobOutcome>> {
  const { deps } = context;
  const result = resultInRecord(job) ?? (await resultOf(deps, job.job_id, await command(waitOf(context))));
  if (result.status !== requested) throw refuse('job_finished', result.status);
  return outcomeOf(deps, job.job_id, result);
}

/**
 * The signal is sent first, so that a job ends however many requests of its team wait for the ends of others. A client that closes
 * its sending side has almost always left, and a socket shows no more of it: it waits for a moment only. `spec 5.8`
 */
const waitOf = ({ deps: { measures }, caller, ip, disconnected, halfClosed }: RequestContext): CommandWait => {
  const { endCommands, jobEnds } = measures.places;
  const holder = holderOf(caller, ip);
  return {
    disconnected,
    inTurn: (send, signal) => endCommands.run(holder, send, { signal }),
    async place() {
      const left = AbortSignal.any([disconnected, halfClosed()]);
      return { left, release: await jobEnds.acquire(holder, { signal: left }).catch(refuseToWait) };
    },
  };
};

function refuseToWait(error: unknown): never {
  if (!(error instanceof Refusal)) throw error;
  const { code, message, headers, limit } = error;
  throw new Refusal(
    code,
    `${message}. The command takes effect; repeat the request to receive its result`,
    headers,
    limit,
  );
}

async function resultOf(deps: Deps, jobId: string, ended: CommandOutcome): Promise<JobResult> {
  if (!ended) return recordedResult(deps, jobId);
  if ('result' in ended) return ended.result;
  if (ended.refused.reason === 'job_finished') throw refuse('job_finished', ended.refused.status);
  throw invalid(['body', 'metadata'], metadataTooLarge);
}

/** The job ended between the read of its record and the command. */
async function recordedResult(deps: Deps, jobId: string): Promise<JobResult> {
  const job = await findJob(deps.database, jobId);
  const result = job && resultInRecord(job);
  if (!result) throw new Unavailable('job', { cause: 'its workflow has ended and its record has not' });
  return result;
}
