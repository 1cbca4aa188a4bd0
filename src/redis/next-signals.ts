import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { Channels } from './channels.ts';

/** What is on its way to a workflow: a signal like any other, or one whose sender waits until the job's calls have ended. */
export type Announced = 'signal' | 'end';

/**
 * A call's answer is out before Temporal hears of its end, and its client goes on: with another call, or with the job's completion.
 * When both reach Temporal together they are one workflow task, and a call is seven history events instead of ten. So the
 * api says when a signal is on its way, and the worker keeps the end until then.
 */
export interface NextSignals {
  /** Said beside the signal to a workflow, of which it promises nothing. */
  announce(workflowId: string, what: Announced): void;
  /** Asked when a call of the workflow begins: who waits for its end already shall not wait longer. */
  expect(workflowId: string): NextSignal;
}

export interface NextSignal {
  /** Resolves when the call's end is to be told: soon, at once when `stop` aborts, when somebody waits for it, or while Redis is away. */
  wait(stop: AbortSignal): Promise<void>;
  leave(): void;
}

/** Milliseconds. */
const times = {
  /** For so long a signal is waited for. */
  patience: 250,
  /**
   * Where calls begin closer to each other, the machine is so busy that end and signal miss each other as often as not, announced or not,
   * and to hear of them costs more than is saved.
   */
  thick: 16,
  /** A client that asks again at once is signalled four to six milliseconds after its answer. */
  blindly: 5,
};

/** Calls over which their pace is smoothed. */
const smoothedOver = 10;

export function createNextSignals(
  commands: Redis,
  channels: Channels,
  { patience, thick, blindly } = times,
): NextSignals {
  let lastAt = 0;
  let pace = patience;

  /** How far the begins of calls are from each other, these days. */
  const paceNow = () => {
    const now = performance.now();
    pace += (Math.min(now - lastAt, patience) - pace) / smoothedOver;
    lastAt = now;
    return pace;
  };

  return {
    announce(workflowId, what) {
      commands.publish(channel.nextSignal(workflowId), what).catch(() => undefined);
    },
    expect(workflowId) {
      if (paceNow() < thick) return { wait: () => pause(blindly), leave: () => undefined };
      const waitedFor = new AbortController();
      // Until the call has ended, other signals are not its client's next.
      let hearNext = () => {};
      const hear = (what: string) => (what === ('end' satisfies Announced) ? waitedFor.abort() : hearNext());
      const joined = channels.join(channel.nextSignal(workflowId), hear).catch(() => undefined);
      return {
        async wait(stop) {
          if (!(await joined)) return;
          const next = new AbortController();
          hearNext = () => next.abort();
          const over = AbortSignal.any([next.signal, waitedFor.signal, stop]);
          await pause(patience, undefined, { signal: over }).catch(() => undefined);
        },
        leave: () => void joined.then((leave) => leave?.()),
      };
    },
  };
}
