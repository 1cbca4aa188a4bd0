import { withTimeout } from '../concurrency/with-timeout.ts';
import type { CallEnd } from '../domain/call-result.ts';
import { refuse, Unavailable } from '../errors.ts';
import { type AdmittedCall, admitCall } from './admit-call.ts';
import { awaitResult, awaitStreamResult } from './await-result.ts';
import type { CallContext, CallRequest, CallTarget } from './call-context.ts';
import { dispatchCall } from './dispatch-call.ts';
import type { StreamOutput } from './frame-reorder.ts';
import { resultOfJob } from './job-result.ts';
import type { CallDeps } from './ports.ts';
import { type FrameSubscription, subscribeToFrames } from './relay-frames.ts';
import type { Retractable } from './retract-calls.ts';
import { settleCall } from './run-call.ts';
import { reserveTokens } from './token-budget.ts';

/** An accepted call whose answer comes piece by piece. */
export interface StreamedCall {
  call: AdmittedCall;
  /** Read once. After the result of a call that ends its job, the next read waits until the job has ended. */
  outputs: AsyncGenerator<StreamOutput>;
}

/** A few milliseconds after the signal are usual. When workers are slow, or Redis lost the message, the stream begins after this time. */
const startedWithinMs = 1_000;

/**
 * Makes a call and returns its answer as it comes. The order of steps is that of `runCall`; resolves when a worker has started the
 * call. Throws the refusals of the admission, that of a closing job, and `Unavailable`.
 */
export async function streamCall(
  context: CallContext,
  request: CallRequest,
  target: CallTarget,
): Promise<StreamedCall> {
  const { deps } = context;
  deps.jobs.requireWorkers();
  const reservation = await reserveTokens(context, request);
  const callId = context.newId('call');
  const awaited = awaitResult(deps, { callId, streamed: true });
  const subscribing = subscribeToFrames(deps, callId);
  try {
    const admitting = admitCall(context, { callId, request, target, streamed: true });
    const [call, frames] = await Promise.all([admitting, subscribing, awaited.subscribed]);
    const result = (await dispatchCall(deps, call)) ?? (await refusalOfJob(frames));
    // An ordinary 409: the job had ended or is closing. A repetition finds a call that was made, and streams its record.
    if (result?.status === 'refused') throw refuse('job_finished', result.error);
    if (result?.status === 'retracted') throw new Unavailable('worker');
    // The reservation is settled when the call ends, which may be long after its reader has left.
    awaitStreamResult(awaited, frames, call.retractable).then(
      (ended) => settleCall(context, call, reservation, ended),
      (error: unknown) => reservation.release(error),
    );
    return { call, outputs: frames.outputs(call.opensJob ? endOfJob(deps, call.job.job_id) : undefined) };
  } catch (error) {
    void subscribing.then((frames) => frames.close());
    awaited.close();
    reservation.release(error);
    throw error;
  }
}

/** The answer of a call that was made before, from its stored frames or its record. */
export async function restreamCall(deps: CallDeps, call: Retractable): Promise<AsyncGenerator<StreamOutput>> {
  const { callId, openedJobId } = call;
  const awaited = awaitResult(deps, { callId, streamed: true });
  const frames = await subscribeToFrames(deps, callId, { isLate: true });
  awaitStreamResult(awaited, frames, call).catch(() => undefined);
  return frames.outputs(openedJobId === undefined ? undefined : endOfJob(deps, openedJobId));
}

/**
 * Waits until a worker starts the call or the job refuses it. A closing job is still open in its record: only its workflow
 * refuses the call.
 */
async function refusalOfJob(frames: FrameSubscription): Promise<CallEnd | undefined> {
  const result = await withTimeout(frames.firstEvent, startedWithinMs).catch(() => undefined);
  return result?.status === 'refused' || result?.status === 'retracted' ? result : undefined;
}

/** Waits for the end of a single-call job. The job ends without this wait too, so an outage does not withhold the answer. */
const endOfJob =
  (deps: CallDeps, jobId: string) =>
  async (result: CallEnd): Promise<void> => {
    if (result.status === 'retracted') return;
    await resultOfJob(deps, jobId, result).catch((error: unknown) => {
      deps.log.warn({ err: error, job_id: jobId }, 'stream: end of job not awaited');
    });
  };
