import type { CommandDecision, Refused } from '../../../workflows/contract/messages.ts';
import { maxCallsOfOutcome } from '../../contracts/jobs.ts';
import { type CallRow, listFirstCallCosts } from '../../db/calls/list-call-costs.ts';
import { findJob, type JobRow, resultInRecord } from '../../db/jobs/find-job.ts';
import type { FinalJobStatus, JobResult } from '../../domain/job-state.ts';
import { metadataTooLarge } from '../../domain/metadata.ts';
import { invalid, Refusal, refuse, Unavailable } from '../../errors.ts';
import type { CommandOutcome, CommandWait } from '../../temporal/commands/jobs.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

/** A job that has ended, with the first of its calls that ran, in the order in which they were made. */
export interface EndedJob {
  jobId: string;
  result: JobResult;
  calls: CallRow[];
}

/**
 * Completes or cancels: `command` is sent to the job unless it has ended. Repeating the same end returns the stored one,
 * another end is refused. `spec 3.5` and `spec 3.6`
 */
export async function endJob(
  context: ServiceContext,
  job: JobRow,
  requested: FinalJobStatus,
  command: (wait: CommandWait) => Promise<CommandOutcome>,
): Promise<EndedJob> {
  const { deps } = context;
  const { job_id: jobId } = job;
  const result = resultInRecord(job) ?? (await requireResult(deps, jobId, await command(newWait(context))));
  return endedJob(context, jobId, result, requested);
}

/** The job with its end, if that is the one that was requested. */
export async function endedJob(
  { deps }: Pick<ServiceContext, 'deps'>,
  jobId: string,
  result: JobResult,
  requested: FinalJobStatus,
): Promise<EndedJob> {
  if (result.status !== requested) throw refuse('job_finished', result.status);
  return { jobId, result, calls: await listFirstCallCosts(deps.database, jobId, maxCallsOfOutcome) };
}

/**
 * The signal is sent first, so that a job ends however many requests of its team wait for the ends of others. A client that closes
 * its sending side has almost always left, and a socket shows no more of it: it waits for a moment only. `spec 5.8`
 */
const newWait = ({ deps: { measures }, holder, disconnected, halfClosed }: ServiceContext): CommandWait => {
  const { endCommands, endWaits } = measures.places;
  return {
    disconnected,
    inTurn: (send, signal) => endCommands.run(holder, send, { signal }),
    async place() {
      const left = AbortSignal.any([disconnected, halfClosed()]);
      return { left, release: await endWaits.acquire(holder, { signal: left }).catch(refuseToWait) };
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

async function requireResult(deps: ServiceDeps, jobId: string, ended: CommandOutcome): Promise<JobResult> {
  if (!ended) return recordedResult(deps, jobId);
  if ('result' in ended) return ended.result;
  throw refusalOf(ended.refused);
}

const refusalOf = (refused: Refused): Error =>
  refused.reason === 'job_finished'
    ? refuse('job_finished', refused.status)
    : invalid(['body', 'metadata'], metadataTooLarge);

/** Throws the refusal of a command that its job did not accept. */
export function requireAccepted(decision: CommandDecision): void {
  if (!decision.accepted) throw refusalOf(decision);
}

/** The job ended between the read of its record and the command. */
async function recordedResult(deps: ServiceDeps, jobId: string): Promise<JobResult> {
  const job = await findJob(deps.database, jobId);
  const result = job && resultInRecord(job);
  if (!result) throw new Unavailable('job', { cause: 'its workflow has ended and its record has not' });
  return result;
}
