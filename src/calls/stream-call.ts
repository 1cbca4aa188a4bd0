import { withTimeout } from '../concurrency/with-timeout.ts';
import type { CallResult } from '../domain/call-result.ts';
import { refuse, Unavailable } from '../errors.ts';
import { requestFields } from '../log.ts';
import { type AdmittedCall, admitCall, type CallToAdmit } from './admit-call.ts';
import { type CallContext, dropRequest, type ModelRequest } from './call-context.ts';
import { takeCallSlot } from './call-slot.ts';
import { type CallInJob, type CallTarget, isFound, isReplaceable, type KnownTarget } from './call-target.ts';
import { dispatchCall } from './dispatch-call.ts';
import type { StreamOutput } from './frame-reorder.ts';
import { awaitJobResult } from './job-result.ts';
import { makeInJob, mayBeRefusedMs } from './make-in-job.ts';
import type { CallDeps } from './ports.ts';
import { type FrameSubscription, subscribeToFrames } from './relay-frames.ts';
import type { RetractableCall } from './retract-calls.ts';
import { awaitStreamResult, type ResultSubscription, subscribeToResult } from './subscribe-to-result.ts';
import { reserveTokens } from './token-budget.ts';

/** An accepted call whose answer comes piece by piece. */
export interface StreamedCall {
  call: AdmittedCall;
  /** The outputs can be read once. After the result of a call that ends its job, the next read waits until the job has ended. */
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
  request: ModelRequest,
  target: CallTarget,
): Promise<StreamedCall> {
  context.deps.jobs.requireWorkers();
  const leave = takeCallSlot(context);
  try {
    return await startStream(context, request, target, leave);
  } catch (error) {
    leave();
    throw error;
  }
}

/** `onEnded`: the call has ended, perhaps long after its reader has left. */
async function startStream(
  context: CallContext,
  request: ModelRequest,
  target: CallTarget,
  onEnded: () => void,
): Promise<StreamedCall> {
  const reservation = await reserveTokens(context, request);
  const make = (callId: string, intoJob: KnownTarget) =>
    admitAndAwaitStart(context, { callId, request, target: intoJob, streamed: true });
  try {
    const started = isFound(target)
      ? await makeInJob(context, target, make, ({ call: refused, refusal: reason }) =>
          reason === undefined ? undefined : refused.jobId,
        )
      : await make(context.newId('call'), target);
    const { call, refusal, subscription, frames } = started;
    // An ordinary 409: the job had ended or is closing. A repetition finds a call that was made, and streams its record.
    if (refusal !== undefined) throw refuse('job_finished', refusal);
    dropRequest(context, request);
    awaitStreamResult(subscription, frames, call.retractable)
      .then(
        (ended) => reservation.replaceEstimate(ended),
        (error: unknown) => reservation.release(error),
      )
      .finally(onEnded);
    return { call, outputs: frames.outputs(endOfJob(context, call)) };
  } catch (error) {
    reservation.release(error);
    throw error;
  }
}

/** A call that a worker has started, or that its job has refused: `refusal` is the job's status then, and nothing waits any more. */
interface StartedCall {
  call: AdmittedCall;
  refusal: string | undefined;
  subscription: ResultSubscription;
  frames: FrameSubscription;
}

async function admitAndAwaitStart(context: CallContext, toAdmit: CallToAdmit): Promise<StartedCall> {
  const { deps } = context;
  const subscription = subscribeToResult(deps, toAdmit);
  const subscribing = subscribeToFrames(deps, toAdmit.callId);
  const close = () => {
    void subscribing.then((frames) => frames.close());
    subscription.close();
  };
  try {
    const [call, frames] = await Promise.all([admitCall(context, toAdmit), subscribing, subscription.ready]);
    const waitMs = isReplaceable(toAdmit.target) ? mayBeRefusedMs : startedWithinMs;
    const result = (await dispatchCall(deps, call)) ?? (await refusalOfJob(frames, waitMs));
    if (result?.status === 'retracted') throw new Unavailable('worker');
    const refusal = result?.status === 'refused' ? result.error : undefined;
    if (refusal !== undefined) close();
    return { call, refusal, subscription, frames };
  } catch (error) {
    close();
    throw error;
  }
}

/** The answer of a call that was made before, from its stored frames or its record. */
export async function restreamCall(
  deps: CallDeps,
  call: RetractableCall,
  callInJob: CallInJob | undefined,
): Promise<AsyncGenerator<StreamOutput>> {
  const { callId } = call;
  const subscription = subscribeToResult(deps, { callId, streamed: true });
  const frames = await subscribeToFrames(deps, callId, { isLate: true });
  awaitStreamResult(subscription, frames, call).catch(() => undefined);
  return frames.outputs(callInJob && endOfJob({ deps }, callInJob));
}

/**
 * Waits until a worker starts the call or the job refuses it. A closing job is still open in its record: only its workflow
 * refuses the call.
 */
async function refusalOfJob(frames: FrameSubscription, waitMs: number): Promise<CallResult | undefined> {
  const result = await withTimeout(frames.firstEvent, waitMs).catch(() => undefined);
  return result?.status === 'refused' || result?.status === 'retracted' ? result : undefined;
}

/** Waits for the end of a job that ends with the call. The job ends without this wait too, so an outage does not withhold the answer. */
const endOfJob =
  (context: { deps: CallDeps } & Partial<Pick<CallContext, 'requestId' | 'traceContext'>>, call: CallInJob) =>
  (result: CallResult): Promise<unknown> =>
    awaitJobResult(context.deps, call, result).catch((error: unknown) => {
      context.deps.log.warn(
        { err: error, ...requestFields(context), job_id: call.jobId },
        'stream: wait for the end of the job failed',
      );
    });
