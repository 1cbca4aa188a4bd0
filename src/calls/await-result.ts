import { queuedCalls, readCallEnd } from '../db/calls/read-call-end.ts';
import type { CallEnd } from '../domain/call-result.ts';
import { Unavailable } from '../errors.ts';
import type { Deps } from '../http/ports.ts';
import type { Retractable } from './retract-calls.ts';
import type { FrameSubscription } from './stream/relay-frames.ts';

type AwaitDeps = Pick<Deps, 'database' | 'callSubscriptions' | 'workerWatch' | 'retractions'>;

/** How often a waiting request checks whether a worker is there. */
const lookMs = 500;

/** Opened before the call is signalled, so that its end cannot be missed. */
export interface AwaitedCall {
  /** Resolves when nothing that is published about the call from now on can be missed. */
  listening: Promise<unknown>;
  /**
   * Throws `Unavailable` when there is no worker and none has begun the call, or when this process shuts down. Before that it
   * retracts `retractable`, if given, so that a 503 leaves nothing half made.
   */
  end(retractable?: Retractable): Promise<CallEnd>;
  /** Stops waiting. */
  leave(): void;
}

export interface Awaiting {
  callId: string;
  /** The client gets the tokens through a relay: the end comes without the message. */
  streamed: boolean;
}

/**
 * A long message is not published with the end: it is read from the record. Undefined: it cannot be read now, and the poll will
 * bring it.
 */
async function whole({ database }: AwaitDeps, callId: string, end: CallEnd): Promise<CallEnd | undefined> {
  if (end.status !== 'succeeded' || end.message) return end;
  const recorded = await readCallEnd(database, callId).catch(() => undefined);
  return recorded?.status === 'succeeded' && end.job ? { ...recorded, job: end.job } : recorded;
}

/** Needs only the id that the call is going to have. */
export function awaitCall(deps: AwaitDeps, { callId, streamed }: Awaiting): AwaitedCall {
  const { promise: ended, resolve, reject: giveUp } = Promise.withResolvers<CallEnd>();
  ended.catch(() => undefined);
  let isLeaving = false;
  const heard = async (end: CallEnd) => {
    const known = streamed ? end : await whole(deps, callId, end);
    if (known) resolve(known);
  };
  const listening = deps.callSubscriptions.watch(callId, {
    frame: (said) => said.type === 'end' && void heard(said.end),
    recorded: (end) => (end.status === 'retracted' ? giveUp(new Unavailable('worker')) : resolve(end)),
    leaving() {
      isLeaving = true;
      giveUp(new Unavailable('api'));
    },
  });
  // A 503 is due within 3 s (`spec 1.8`). A stream, whose 200 is out, waits until a worker had time to restart.
  const nobodyComes = streamed ? deps.workerWatch.isGone : deps.workerWatch.isUnavailable;
  const isGivenUp = async (retractable?: Retractable) => {
    if (retractable) return deps.retractions.retract(retractable);
    // With an Idempotency-Key the client finds its call again, so the call is not retracted. A call that a worker has begun will
    // be finished by that worker or its successor.
    const isPastRestart = !streamed && deps.workerWatch.isGone();
    if (isPastRestart) return true;
    const queued = await queuedCalls(deps.database, [callId]).catch(() => undefined);
    return queued?.has(callId) ?? false;
  };
  return {
    listening,
    async end(retractable) {
      const timer = setInterval(async () => {
        if (!nobodyComes()) return;
        if (await isGivenUp(retractable)) giveUp(new Unavailable('worker'));
      }, lookMs);
      try {
        return await ended;
      } catch (error) {
        // The reader of a stream is told that the call goes on.
        if (isLeaving && !streamed && retractable) await deps.retractions.retract(retractable);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
    leave: () => void listening.then((stop) => stop()),
  };
}

/** Waits for the end of a streamed call. When no worker comes to begin the call, tells the reader so and rejects. */
export async function awaitStreamEnd(
  awaited: AwaitedCall,
  relay: FrameSubscription,
  retractable?: Retractable,
): Promise<CallEnd> {
  try {
    return await awaited.end(retractable);
  } catch (error) {
    relay.end({ status: 'retracted' });
    throw error;
  } finally {
    awaited.leave();
  }
}
