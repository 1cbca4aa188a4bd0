import { ApplicationFailure } from '@temporalio/activity';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { type BegunCall, beginCall, beginCallAlone } from '../../src/db/calls/begin-call.ts';
import { requeueCall } from '../../src/db/calls/requeue-call.ts';
import type { HeldCompletion } from '../../src/redis/completion-batching.ts';
import type { CallUpstreamInput, CallUpstreamResult } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';
import { type Progress, passOn } from './abort-reason.ts';
import { carryOut, recordedResult } from './execute-call.ts';
import { FramePublisher } from './frame-publisher.ts';

export const noSuchCall = 'there is no such call';

/** Which attempt at which call: Temporal's count of it, in the workflow of its job. */
export interface AttemptAt {
  call: CallUpstreamInput;
  attempt: number;
  workflowId: string;
}

/** This worker's attempt at a call. */
export interface CallAttempt {
  /** Temporal has given this worker the attempt, and takes it back by `cancellation`. */
  give(cancellation: AbortSignal): void;
  /** Temporal has not given this worker the attempt. */
  lose(): void;
  /** Rejects when the call is left to another attempt. */
  result: Promise<CallUpstreamResult>;
}

/** What an attempt waits for and listens to. */
interface Hold {
  progress: Progress;
  /** Aborts when Temporal takes the attempt back or does not give it. */
  taken: AbortSignal;
  /** Resolves when Temporal has given the attempt, rejects when it does not. */
  given: Promise<void>;
}

type Begin = (given: Promise<void>) => Promise<BegunCall | undefined>;

/** An attempt that Temporal gives at once. */
export const beginAttempt = (deps: ActivityDeps, at: AttemptAt): CallAttempt =>
  attemptAt(deps, at, () => beginPatiently(deps, at));

/**
 * The first attempt at a call, before Temporal gives it. It asks the upstream, but nothing of the answer is shown or recorded
 * until it is given. When it is lost, it leaves the call as it found it. A call that changes more than itself is not begun early.
 */
export function beginEarly(deps: ActivityDeps, at: AttemptAt): CallAttempt {
  const { call_id } = at.call;
  const leave = async () => {
    deps.log.warn({ call_id }, 'a call that was begun early is not given to this worker');
    // Should this fail, the next attempt takes the call over at its second try.
    await requeueCall(deps.database, call_id).catch(() => undefined);
  };
  return attemptAt(deps, at, async (given) => {
    const begun = await beginCallAlone(deps.database, call_id).catch(() => undefined);
    if (begun) {
      given.catch(leave);
      return begun;
    }
    await given;
    return beginPatiently(deps, at);
  });
}

const beginPatiently = (deps: ActivityDeps, { call: { call_id, starts_job, job_started_at }, attempt }: AttemptAt) =>
  retryUntilAvailable(() =>
    beginCall(deps.database, call_id, {
      attempt,
      startsJob: starts_job ?? false,
      jobStartedAt: new Date(job_started_at),
    }),
  );

function attemptAt(deps: ActivityDeps, at: AttemptAt, begin: Begin): CallAttempt {
  const progress: Progress = { shown: false };
  const given = Promise.withResolvers<void>();
  const taken = new AbortController();
  const result = makeAttempt(deps, at, begin, { progress, taken: taken.signal, given: given.promise });
  // Nobody waits for an attempt that is lost.
  for (const promise of [given.promise, result]) promise.catch(() => undefined);
  return {
    give(cancellation) {
      passOn(cancellation, taken, progress);
      given.resolve();
    },
    lose() {
      const reason = new Error('NOT_GIVEN');
      taken.abort(reason);
      given.reject(reason);
    },
    result,
  };
}

async function makeAttempt(
  deps: ActivityDeps,
  { call: { call_id, ends_job }, attempt, workflowId }: AttemptAt,
  begin: Begin,
  { progress, taken, given }: Hold,
): Promise<CallUpstreamResult> {
  const told = deps.cancellations.hear(workflowId);
  let next: HeldCompletion | undefined;
  const stop = AbortSignal.any([told.signal, taken]);
  try {
    const call = await begin(given);
    if (!call) throw ApplicationFailure.nonRetryable(noSuchCall, 'CallNotFound');
    deps.deliveries.start(call.delivery_ids);
    if (!call.begun) return await recordedResult(deps.database, call_id);
    const publisher = new FramePublisher(deps.callEvents, { callId: call_id, attempt, streamed: call.streamed });
    publisher.begun();
    const carriedOut = carryOut({ deps, call, attempt, publisher, progress, stop, given });
    // Last, because the request to the upstream is on its way by now.
    if (!ends_job) next = deps.completionBatching.expect(workflowId);
    const result = await carriedOut;
    if (!stop.aborted) await next?.wait(stop);
    return result;
  } finally {
    told.leave();
    next?.leave();
  }
}
