import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { Channels } from './channels.ts';

/**
 * A call's answer is out before Temporal hears of its end, and its client goes on: with another call, or with the job's completion.
 * When both reach Temporal together they are one workflow task, and a call is seven history events instead of ten. So the
 * api says when a signal is on its way, and the worker keeps the end until then.
 */
export interface NextSignals {
  /** Said beside the signal to a workflow, of which it promises nothing. */
  announce(workflowId: string): void;
  /** Resolves when the end of a call is to be told to its workflow; at once when `stop` aborts, or where Redis is away. */
  wait(workflowId: string, stop: AbortSignal): Promise<void>;
}

/** Milliseconds. */
const times = {
  /** For so long a signal is waited for. */
  patience: 250,
  /**
   * Where ends follow each other faster, a machine is so busy that end and signal miss each other as often as not, announced or not, and
   * to announce them costs more than is saved: 2 % of the calls a second, 10 % of the CPU with 16 at once.
   */
  thick: 16,
  /** A client that asks again at once is signalled four to six milliseconds after its answer. */
  blindly: 5,
};

/** Ends over which their pace is smoothed. */
const smoothedOver = 10;

export function createNextSignals(
  commands: Redis,
  channels: Channels,
  { patience, thick, blindly } = times,
): NextSignals {
  let lastAt = 0;
  let pace = patience;

  /** How far ends are from each other, these days. */
  const paceNow = () => {
    const now = performance.now();
    pace += (Math.min(now - lastAt, patience) - pace) / smoothedOver;
    lastAt = now;
    return pace;
  };

  return {
    announce(workflowId) {
      commands.publish(channel.nextSignal(workflowId), '').catch(() => undefined);
    },
    async wait(workflowId, stop) {
      if (paceNow() < thick) return pause(blindly);
      const announced = new AbortController();
      const leave = await channels.join(channel.nextSignal(workflowId), () => announced.abort()).catch(() => undefined);
      if (!leave) return;
      const over = AbortSignal.any([announced.signal, stop]);
      await pause(patience, undefined, { signal: over }).catch(() => undefined);
      leave();
    },
  };
}
