import { queuedCalls, readCallEnd } from '../db/calls/read-call-end.ts';
import type { CallEnd } from '../domain/call-result.ts';
import { Unavailable } from '../errors.ts';
import type { CallDeps } from './ports.ts';
import type { FrameSubscription } from './relay-frames.ts';
import type { Retractable } from './retract-calls.ts';

type AwaitDeps = Pick<CallDeps, 'database' | 'callSubscriptions' | 'workerWatch' | 'retractions'>;

/** How often a waiting request checks that there is a worker. */
const checkMs = 500;

/** Created before the call is signalled, so that its result cannot be missed. */
export interface AwaitedResult {
  /** Resolves when nothing that is published about the call from now on can be missed. */
  subscribed: Promise<unknown>;
  /**
   * Rejects with `Unavailable` when there is no worker and none has started the call, or when this process shuts down. Before
   * that it retracts `retractable`, if given, so that a 503 leaves nothing half made.
   */
  result(retractable?: Retractable): Promise<CallEnd>;
  /** Stops waiting. */
  close(): void;
}

export interface AwaitedCall {
  callId: string;
  /** The client gets the tokens as they come: the result is complete without the message. */
  streamed: boolean;
}

/** Needs only the id that the call is going to have. */
export function awaitResult(deps: AwaitDeps, { callId, streamed }: AwaitedCall): AwaitedResult {
  const { promise: ended, resolve, reject } = Promise.withResolvers<CallEnd>();
  ended.catch(() => undefined);
  let isShuttingDown = false;
  const onResult = async (published: CallEnd) => {
    const result = streamed ? published : await withMessage(deps, callId, published);
    if (result) resolve(result);
  };
  const subscribed = deps.callSubscriptions.subscribe(callId, {
    onEvent: (event) => event.type === 'end' && void onResult(event.end),
    onRecordedResult: (result) => (result.status === 'retracted' ? reject(new Unavailable('worker')) : resolve(result)),
    onShutdown() {
      isShuttingDown = true;
      reject(new Unavailable('api'));
    },
  });
  // A 503 is due within 3 s (`spec 1.8`). A stream, whose 200 is sent, waits until a worker had time to restart.
  const isWithoutWorkers = streamed ? deps.workerWatch.gone : deps.workerWatch.away;

  /** Whether the call will not be started by a worker any more, or no more within the time of this request. */
  const isAbandoned = async (retractable?: Retractable) => {
    if (retractable) return deps.retractions.retract(retractable);
    // With an Idempotency-Key the client finds its call again, so the call is not retracted. A call that a worker has started is
    // finished by that worker or its successor.
    if (!streamed && deps.workerWatch.gone()) return true;
    const queued = await queuedCalls(deps.database, [callId]).catch(() => undefined);
    return queued?.has(callId) ?? false;
  };

  return {
    subscribed,
    async result(retractable) {
      const timer = setInterval(async () => {
        if (!isWithoutWorkers()) return;
        if (await isAbandoned(retractable)) reject(new Unavailable('worker'));
      }, checkMs);
      try {
        return await ended;
      } catch (error) {
        // The reader of a stream receives that the call goes on.
        if (isShuttingDown && !streamed && retractable) await deps.retractions.retract(retractable);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
    close: () => void subscribed.then((unsubscribe) => unsubscribe()),
  };
}

/**
 * A long message is not published with the result: it is read from the record. Undefined: it cannot be read now, and the next
 * poll will find it.
 */
async function withMessage({ database }: AwaitDeps, callId: string, result: CallEnd): Promise<CallEnd | undefined> {
  if (result.status !== 'succeeded' || result.message) return result;
  const recorded = await readCallEnd(database, callId).catch(() => undefined);
  return recorded?.status === 'succeeded' && result.job ? { ...recorded, job: result.job } : recorded;
}

/** Waits for the result of a streamed call. When no worker starts the call, ends the stream with an error and rejects. */
export async function awaitStreamResult(
  awaited: AwaitedResult,
  frames: FrameSubscription,
  retractable?: Retractable,
): Promise<CallEnd> {
  try {
    return await awaited.result(retractable);
  } catch (error) {
    frames.end({ status: 'retracted' });
    throw error;
  } finally {
    awaited.close();
  }
}
