import { poll } from '../concurrency/poll.ts';
import { readCallResult } from '../db/calls/read-call-result.ts';
import type { CallResult } from '../domain/call-result.ts';
import { OutcomeUnknown } from '../errors.ts';
import type { CallDeps } from './ports.ts';
import type { FrameSubscription } from './relay-frames.ts';
import type { RetractableCall } from './retract-calls.ts';

type AwaitDeps = Pick<CallDeps, 'database' | 'callSubscriptions' | 'workerWatch' | 'retractions'>;

/** How often a waiting request checks that there is a worker. */
const checkMs = 500;

/** A subscription is created before the call is signalled, so that its result cannot be missed. */
export interface ResultSubscription {
  /** Resolves when nothing that is published about the call from now on can be missed. */
  ready: Promise<unknown>;
  /**
   * Of a call that is recorded. While there is no worker, the call is retracted unless one has started it, and that is its result. Rejects when this process
   * shuts down: with `OutcomeUnknown`, because the call goes on.
   */
  result(retractable: RetractableCall): Promise<CallResult>;
  /** Stops waiting. */
  close(): void;
}

export interface AwaitedCall {
  callId: string;
  /** The client gets the tokens as they come: the result is complete without the message. */
  streamed: boolean;
}

/** Needs only the id that the call is going to have. */
export function subscribeToResult(deps: AwaitDeps, { callId, streamed }: AwaitedCall): ResultSubscription {
  let isRecorded = false;
  const { promise: awaited, resolve, reject } = Promise.withResolvers<CallResult>();
  awaited.catch(() => undefined);
  const onPublished = async (published: CallResult) => {
    const result = streamed ? published : await withMessage(deps, callId, published);
    if (result) resolve(result);
  };
  const subscribed = deps.callSubscriptions.subscribe(callId, {
    onEvent: (event) => event.type === 'end' && void onPublished(event.end),
    onRecordedResult: resolve,
    isRecorded: () => isRecorded,
    onShutdown: () => reject(new OutcomeUnknown()),
  });
  // A 503 is due within 3 s (`spec 1.8`). A stream, whose 200 is sent, waits until a worker had time to restart.
  const isWithoutWorkers = streamed ? deps.workerWatch.isGone : deps.workerWatch.isUnavailable;

  return {
    ready: subscribed,
    async result(retractable) {
      isRecorded = true;
      // A call that is not recorded any more was retracted by another request that waited for it.
      const isRetracted = async () => ['retracted', 'missing'].includes(await deps.retractions.retract(retractable));
      const checking = poll(async () => {
        if (isWithoutWorkers() && (await isRetracted())) resolve(retracted);
      }, checkMs);
      try {
        return await awaited;
      } catch (error) {
        if (await isRetracted()) return retracted;
        throw error;
      } finally {
        void checking.close();
      }
    },
    close: () => void subscribed.then((unsubscribe) => unsubscribe()),
  };
}

const retracted = { status: 'retracted' } as const;

/**
 * A long message is not published with the result: it is read from the record. Undefined: it cannot be read now, and the next
 * poll will find it.
 */
async function withMessage(
  { database }: AwaitDeps,
  callId: string,
  result: CallResult,
): Promise<CallResult | undefined> {
  if (result.status !== 'succeeded' || result.message) return result;
  const recorded = await readCallResult(database, callId).catch(() => undefined);
  return recorded?.status === 'succeeded' && result.job ? { ...recorded, job: result.job } : recorded;
}

/** Waits for the result of a streamed call. When no worker starts the call, ends the stream with an error event. */
export async function awaitStreamResult(
  subscription: ResultSubscription,
  frames: FrameSubscription,
  retractable: RetractableCall,
): Promise<CallResult> {
  try {
    const result = await subscription.result(retractable);
    if (result.status === 'retracted') frames.end(result);
    return result;
  } finally {
    subscription.close();
  }
}
