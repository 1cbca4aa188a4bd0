import { setTimeout as pause } from 'node:timers/promises';
import { findJob, resultInRecord } from '../db/jobs/find-job.ts';
import type { CallResult } from '../domain/call-result.ts';
import { callError } from '../domain/call-state.ts';
import { endsJob } from '../domain/job-end.ts';
import type { JobResult } from '../domain/job-state.ts';
import { OutcomeUnknown, Unavailable } from '../errors.ts';
import type { CallInJob } from './call-target.ts';
import type { CallDeps } from './ports.ts';

function hasEndedJob(call: CallInJob, result: CallResult): boolean {
  if (result.status === 'retracted') return false;
  // The job ends with it, a moment later.
  if (result.status === 'failed' && result.error === callError.deadline) return true;
  const succeeded = result.status === 'succeeded';
  return endsJob(call, { succeeded, hasToolCalls: succeeded && result.hasToolCalls === true });
}

/**
 * The result of the job that a call has ended; undefined where the job goes on. That of a single-call job comes with the call's
 * result, unless another command was sent to the job or the event was lost. Then, and for any other job, the record has it, which
 * needs no Temporal and is polled, or the workflow will. Throws `OutcomeUnknown` when neither can be read: the call was made. When
 * `disconnected` aborts, its reason.
 */
export async function awaitJobResult(
  { database, jobs }: Pick<CallDeps, 'database' | 'jobs'>,
  call: CallInJob,
  result: CallResult,
  disconnected?: AbortSignal,
): Promise<JobResult | undefined> {
  if (!hasEndedJob(call, result)) return undefined;
  if ('job' in result && result.job) return result.job;
  const waiting = new AbortController();
  const recorded = async (): Promise<JobResult | undefined> => {
    const job = await findJob(database, call.jobId).catch(() => undefined);
    return job && resultInRecord(job);
  };
  const present = await recorded();
  if (present) return present;
  const fromWorkflow = jobs.result(call.jobId, disconnected).catch((error: unknown) => {
    throw error instanceof Unavailable ? new OutcomeUnknown({ cause: error }) : error;
  });
  try {
    return await Promise.race([fromWorkflow, pollRecord(recorded, waiting.signal)]);
  } finally {
    waiting.abort();
  }
}

const pollMs = 1_000;

/** A job may be ended in the record for long before a worker has ended its workflow. Never resolves after the signal has aborted. */
async function pollRecord(read: () => Promise<JobResult | undefined>, signal: AbortSignal): Promise<JobResult> {
  while (!signal.aborted) {
    await pause(pollMs, undefined, { signal }).catch(() => undefined);
    const result = signal.aborted ? undefined : await read();
    if (result) return result;
  }
  return new Promise(() => undefined);
}
