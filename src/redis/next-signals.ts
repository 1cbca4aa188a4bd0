import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { Channels } from './channels.ts';
import { keepWorkflowWords } from './workflow-words.ts';

/**
 * A call's answer is out before Temporal hears of its end, and its client goes on: with another call, or with the job's completion.
 * When both reach Temporal together they are one workflow task, and a call is seven history events instead of ten. So the
 * api says when a signal is on its way, and the worker keeps the end until then.
 */
export interface Announcements {
  /** A client of this process was told how its call of the workflow ended. */
  answered(workflowId: string): void;
  /** Said beside a signal, when it may be the next after an answer. `awaitsEnd`: its sender waits until the job's calls have ended. */
  announce(workflowId: string, awaitsEnd: boolean): void;
}

export interface NextSignals {
  /** Asked when a call of the workflow has begun: who waits for its end already shall not wait longer. */
  expect(workflowId: string): NextSignal;
}

export interface NextSignal {
  /** Resolves when the call's end is to be told: soon, and at once when `stop` aborts or somebody waits for it. */
  wait(stop: AbortSignal): Promise<void>;
  leave(): void;
}

/** Milliseconds. */
const times = {
  /** For so long a signal is waited for. */
  patience: 250,
  /**
   * Where calls are closer to each other, the machine is so busy that end and signal miss each other as often as not, announced or not,
   * and to hear of them costs more than is saved.
   */
  thick: 25,
  /** A client that asks again at once is signalled four to six milliseconds after its answer. */
  blindly: 5,
};

/** Calls over which their pace is smoothed. */
const smoothedOver = 10;

/** Whether what it is asked for comes too thick, these days. */
function watchPace({ patience, thick }: typeof times): () => boolean {
  let lastAt = 0;
  let pace = patience;
  return () => {
    const now = performance.now();
    pace += (Math.min(now - lastAt, patience) - pace) / smoothedOver;
    lastAt = now;
    return pace < thick;
  };
}

/** Of whoever sends signals. */
export function createAnnouncements(commands: Redis, howLong = times): Announcements {
  const answeredLately = new Map<string, NodeJS.Timeout>();
  const isThick = watchPace(howLong);
  return {
    answered(workflowId) {
      if (isThick()) return;
      clearTimeout(answeredLately.get(workflowId));
      const forget = setTimeout(() => answeredLately.delete(workflowId), howLong.patience);
      answeredLately.set(workflowId, forget.unref());
    },
    announce(workflowId, awaitsEnd) {
      const name = awaitsEnd ? channel.awaitedEnds : channel.nextSignals;
      if (awaitsEnd || answeredLately.has(workflowId)) commands.publish(name, workflowId).catch(() => undefined);
    },
  };
}

/** Of whoever carries out calls. */
export function createNextSignals(channels: Channels, howLong = times): NextSignals {
  const signals = keepWorkflowWords(channels, channel.nextSignals);
  const awaitedEnds = keepWorkflowWords(channels, channel.awaitedEnds);
  const isThick = watchPace(howLong);
  return {
    expect(workflowId) {
      if (isThick()) return { wait: () => pause(howLong.blindly), leave: () => undefined };
      const awaitedEnd = awaitedEnds.hear(workflowId);
      return {
        async wait(stop) {
          const announced = signals.hear(workflowId);
          const over = AbortSignal.any([announced.signal, awaitedEnd.signal, stop]);
          await pause(howLong.patience, undefined, { signal: over }).catch(() => undefined);
          announced.leave();
        },
        leave: awaitedEnd.leave,
      };
    },
  };
}
