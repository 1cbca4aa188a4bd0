import { readCallEnd } from '../../../db/queries/read-call-end.ts';
import type { Deps } from '../../../deps.ts';
import type { CallEnd } from '../../../domain/frames.ts';
import { Unavailable } from '../../../errors.ts';
import type { AdmittedCall } from './admit.ts';
import { withdraw } from './withdraw.ts';

/** How often a wait looks whether anybody is still at work. */
const lookMs = 500;

/** Opened before the call is signalled, so that its end cannot be missed. */
export interface AwaitedCall {
  /** Nothing that is said of the call from now on can be missed. */
  listening: Promise<unknown>;
  /**
   * Throws `Unavailable` when there is no worker and none has begun the call. A call that no worker comes for is taken back,
   * so that a 503 leaves nothing half made; `repeatable`, it is left, and the client's repetition finds it.
   */
  end(call: AdmittedCall, repeatable: boolean): Promise<CallEnd>;
  /** Stops waiting. */
  leave(): void;
}

/** A long message does not travel with its end: the record has it. */
async function whole({ database }: Deps, callId: string, end: CallEnd): Promise<CallEnd> {
  if (end.status !== 'succeeded' || end.message) return end;
  const recorded = await readCallEnd(database, callId).catch(() => undefined);
  if (!recorded) return new Promise(() => undefined);
  return recorded.status === 'succeeded' && end.job ? { ...recorded, job: end.job } : recorded;
}

/** Needs no more than the id that the call is going to have. */
export function awaitCall(deps: Deps, callId: string): AwaitedCall {
  const { promise: ended, resolve, reject: giveUp } = Promise.withResolvers<CallEnd>();
  ended.catch(() => undefined);
  const listening = deps.watch.watch(callId, {
    frame: (frame) => frame.type === 'end' && void whole(deps, callId, frame.end).then(resolve),
    recorded: resolve,
    leaving: () => giveUp(new Unavailable('api')),
  });
  return {
    listening,
    async end(call, repeatable) {
      const timer = setInterval(async () => {
        if (!deps.workers.away()) return;
        if (repeatable || (await withdraw(deps, call))) giveUp(new Unavailable('worker'));
      }, lookMs);
      try {
        return await ended;
      } finally {
        clearInterval(timer);
      }
    },
    leave: () => void listening.then((stop) => stop()),
  };
}
