import type { Deps } from '../../../deps.ts';
import type { CallEnd } from '../../../domain/frames.ts';
import { Unavailable } from '../../../errors.ts';
import type { AdmittedCall } from './admit.ts';
import { withdraw } from './withdraw.ts';

/** How often a wait looks whether anybody is still at work. */
const lookMs = 500;

/** Opened before the call is signalled, so that its end cannot be missed. */
export interface AwaitedCall {
  /** Throws `Unavailable` when there is no worker and none has begun the call. */
  end(): Promise<CallEnd>;
  /** Stops waiting, and throws what it is given. */
  abandon(error: unknown): never;
}

/**
 * A call that no worker comes for is taken back, so that a 503 leaves nothing half made; `repeatable`, it is left, and
 * the client's repetition finds it.
 */
export async function awaitCall(deps: Deps, call: AdmittedCall, repeatable: boolean): Promise<AwaitedCall> {
  const { promise: ended, resolve, reject: giveUp } = Promise.withResolvers<CallEnd>();
  ended.catch(() => undefined);
  const leave = await deps.watch.watch(call.callId, {
    frame: (frame) => frame.type === 'end' && resolve(frame.end),
    recorded: resolve,
    leaving: () => giveUp(new Unavailable('api')),
  });
  return {
    async end() {
      const timer = setInterval(async () => {
        if (!deps.workers.away()) return;
        if (repeatable || (await withdraw(deps, call))) giveUp(new Unavailable('worker'));
      }, lookMs);
      try {
        return await ended;
      } finally {
        clearInterval(timer);
        leave();
      }
    },
    abandon(error) {
      leave();
      throw error;
    },
  };
}
