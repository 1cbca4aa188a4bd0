import { queuedCalls } from '../db/queries/find-queued-calls.ts';
import { readCallEnd } from '../db/queries/read-call-end.ts';
import type { Deps } from '../deps.ts';
import { type CallEnd, isWithdrawn, withdrawnEnd } from '../domain/frames.ts';
import { Unavailable } from '../errors.ts';
import type { Withdrawable } from '../withdrawals.ts';
import type { OpenRelay } from './relay-call.ts';

type AwaitDeps = Pick<Deps, 'database' | 'watch' | 'workers' | 'withdrawals'>;

/** How often a wait looks whether anybody is still at work. */
const lookMs = 500;

/** Opened before the call is signalled, so that its end cannot be missed. */
export interface AwaitedCall {
  /** Nothing that is said of the call from now on can be missed. */
  listening: Promise<unknown>;
  /**
   * Throws `Unavailable` when there is no worker and none has begun the call, or when this process is going down. Then it takes
   * back what it is to, so that a 503 leaves nothing half made.
   */
  end(takeBack?: Withdrawable): Promise<CallEnd>;
  /** Stops waiting. */
  leave(): void;
}

export interface Awaiting {
  callId: string;
  /** What the call says is told elsewhere: its end comes without the message. */
  streamed: boolean;
}

/** A long message does not travel with its end: the record has it. Undefined: it cannot be read now, and the poll will bring it. */
async function whole({ database }: AwaitDeps, callId: string, end: CallEnd): Promise<CallEnd | undefined> {
  if (end.status !== 'succeeded' || end.message) return end;
  const recorded = await readCallEnd(database, callId).catch(() => undefined);
  return recorded?.status === 'succeeded' && end.job ? { ...recorded, job: end.job } : recorded;
}

/** Needs no more than the id that the call is going to have. */
export function awaitCall(deps: AwaitDeps, { callId, streamed }: Awaiting): AwaitedCall {
  const { promise: ended, resolve, reject: giveUp } = Promise.withResolvers<CallEnd>();
  ended.catch(() => undefined);
  let isLeaving = false;
  const heard = async (end: CallEnd) => {
    const known = streamed ? end : await whole(deps, callId, end);
    if (known) resolve(known);
  };
  const listening = deps.watch.watch(callId, {
    frame: (said) => said.type === 'end' && void heard(said.end),
    recorded: (end) => (isWithdrawn(end) ? giveUp(new Unavailable('worker')) : resolve(end)),
    leaving() {
      isLeaving = true;
      giveUp(new Unavailable('api'));
    },
  });
  // The 503 of `rulings.md` 1.8 has 3 s. A stream, whose 200 is out, outlasts the restart of a worker.
  const nobodyComes = streamed ? deps.workers.gone : deps.workers.away;
  const isGivenUp = async (takeBack?: Withdrawable) => {
    if (takeBack) return deps.withdrawals.withdraw(takeBack);
    // Who repeats a 503 finds its call. A worker that is ending finishes what it began, and one that died has a successor.
    const isPastRestart = !streamed && deps.workers.gone();
    if (isPastRestart) return true;
    const queued = await queuedCalls(deps.database, [callId]).catch(() => undefined);
    return queued?.has(callId) ?? false;
  };
  return {
    listening,
    async end(takeBack) {
      const timer = setInterval(async () => {
        if (!nobodyComes()) return;
        if (await isGivenUp(takeBack)) giveUp(new Unavailable('worker'));
      }, lookMs);
      try {
        return await ended;
      } catch (error) {
        // Who reads a stream is told that its call goes on.
        if (isLeaving && !streamed && takeBack) await deps.withdrawals.withdraw(takeBack);
        throw error;
      } finally {
        clearInterval(timer);
      }
    },
    leave: () => void listening.then((stop) => stop()),
  };
}

/** Waits for the end of a call whose reader has a stream, and tells the reader when nobody comes to begin it; then it rejects. */
export async function attend(awaited: AwaitedCall, relay: OpenRelay, takeBack?: Withdrawable): Promise<CallEnd> {
  try {
    return await awaited.end(takeBack);
  } catch (error) {
    relay.end(withdrawnEnd);
    throw error;
  } finally {
    awaited.leave();
  }
}
