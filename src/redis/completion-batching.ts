import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { PubSub } from './pubsub.ts';
import { keepWorkflowBroadcasts } from './workflow-broadcasts.ts';

/**
 * A client has its answer before Temporal hears of the call's end, and goes on at once: with another call, or with the job's
 * completion. When end and signal reach Temporal together they are one workflow task, and a call is seven history events
 * instead of ten. So the api announces the signal, and the worker holds the end back until then.
 */
export interface SignalNotices {
  /** A client of this process was told how its call of the workflow ended. */
  answered(workflowId: string): void;
  /** Published beside a signal that may be the next after an answer. `awaitsEnd`: its sender waits until the job's calls have ended. */
  announce(workflowId: string, awaitsEnd: boolean): void;
}

export interface CompletionBatching {
  /** Called as soon as a call of the workflow has begun, because a request may wait for its end from then on, and is to be heard. */
  expect(workflowId: string): HeldCompletion;
}

export interface HeldCompletion {
  /** Resolves when Temporal is to hear of the end: soon, and at once when `stop` aborts or a request waits for the end. */
  wait(stop: AbortSignal): Promise<void>;
  leave(): void;
}

/** Milliseconds. */
const times = {
  /** The longest wait for a signal. */
  patienceMs: 250,
  /**
   * When calls follow each other more closely, the machine is so busy that end and signal miss each other as often as not,
   * announced or not, and listening costs more than it saves.
   */
  tooFrequentMs: 25,
  /** The next signal of a client that asks again at once comes four to six milliseconds after its answer. */
  fixedWaitMs: 5,
};

/** The pace is smoothed over this many calls. */
const smoothedOver = 10;

/** Returns a function to call with each event; it returns whether events come too frequently now. */
function watchPace({ patienceMs, tooFrequentMs }: typeof times): () => boolean {
  let lastAt = 0;
  let pace = patienceMs;
  return () => {
    const now = performance.now();
    pace += (Math.min(now - lastAt, patienceMs) - pace) / smoothedOver;
    lastAt = now;
    return pace < tooFrequentMs;
  };
}

/** For a process that sends signals. */
export function createSignalNotices(commands: Redis, howLong = times): SignalNotices {
  const answeredLately = new Map<string, NodeJS.Timeout>();
  const isTooFrequent = watchPace(howLong);
  return {
    answered(workflowId) {
      if (isTooFrequent()) return;
      clearTimeout(answeredLately.get(workflowId));
      const forget = setTimeout(() => answeredLately.delete(workflowId), howLong.patienceMs);
      answeredLately.set(workflowId, forget.unref());
    },
    announce(workflowId, awaitsEnd) {
      const name = awaitsEnd ? channel.completionWaiters : channel.signalNotices;
      if (awaitsEnd || answeredLately.has(workflowId)) commands.publish(name, workflowId).catch(() => undefined);
    },
  };
}

/** For a process that carries out calls. */
export function createCompletionBatching(channels: PubSub, howLong = times): CompletionBatching {
  const signals = keepWorkflowBroadcasts(channels, channel.signalNotices);
  const awaitedEnds = keepWorkflowBroadcasts(channels, channel.completionWaiters);
  const isTooFrequent = watchPace(howLong);
  return {
    expect(workflowId) {
      if (isTooFrequent()) return { wait: () => pause(howLong.fixedWaitMs), leave: () => undefined };
      const awaitedEnd = awaitedEnds.hear(workflowId);
      return {
        async wait(stop) {
          const announced = signals.hear(workflowId);
          const over = AbortSignal.any([announced.signal, awaitedEnd.signal, stop]);
          await pause(howLong.patienceMs, undefined, { signal: over }).catch(() => undefined);
          announced.leave();
        },
        leave: awaitedEnd.leave,
      };
    },
  };
}
