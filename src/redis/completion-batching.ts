import { setTimeout as pause } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { channel } from '../domain/ids.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { PubSub } from './pubsub.ts';
import { createWorkflowBroadcasts } from './workflow-broadcasts.ts';

/**
 * A client has its answer before Temporal receives the completion of the call's activity, and continues at once: with another
 * call, or with the job's completion. When completion and signal reach Temporal together they share one workflow task, and a
 * call is seven history events instead of ten. So the api publishes a notice beside the signal, and the worker holds the
 * completion back until then. An optimisation: docs/optimisations/completion-batching.md.
 */
export interface SignalNotices {
  /** A client of this process has received the result of its call of the workflow. */
  onResultDelivered(workflowId: string): void;
  /** Called beside a signal that may be the next after an answer. `awaitsEnd`: its sender waits until the job's calls have ended. */
  notify(workflowId: string, awaitsEnd: boolean): void;
}

export interface CompletionBatching {
  /**
   * Resolves with `result` when its activity is to complete: when the next signal is sent, when `stop` aborts, when a request
   * waits for the end of the call, and after a quarter of a second at the latest. Called as soon as the call has started, because
   * a request may wait for its end from then on.
   */
  hold<T>(workflowId: string, result: Promise<T>, stop: AbortSignal): Promise<T>;
}

/** With `COMPLETION_BATCHING=off`. */
export const noSignalNotices: SignalNotices = { onResultDelivered: () => undefined, notify: () => undefined };
export const noCompletionBatching: CompletionBatching = { hold: (_workflowId, result) => result };

const defaults = {
  /** The longest wait for a signal. */
  timeoutMs: 250,
  /**
   * When calls follow each other more closely, the machine is so busy that completion and signal miss each other in half of the
   * cases, with or without a notice, and a subscription costs more than it saves.
   */
  tooFrequentMs: 25,
  /** The next signal of a client that sends its next request at once comes four to six milliseconds after its answer. */
  fixedWaitMs: 5,
};

/** The pace is smoothed over this many calls. */
const smoothedOver = 10;

/** Returns a function to call with each event; it returns whether events come too frequently now. */
function watchPace({ timeoutMs, tooFrequentMs }: typeof defaults): () => boolean {
  let lastAt = 0;
  let pace = timeoutMs;
  return () => {
    const now = performance.now();
    pace += (Math.min(now - lastAt, timeoutMs) - pace) / smoothedOver;
    lastAt = now;
    return pace < tooFrequentMs;
  };
}

/** For a process that sends signals. */
export function createSignalNotices(commands: Redis, times = defaults): SignalNotices {
  const recentlyAnswered = new Map<string, NodeJS.Timeout>();
  const isTooFrequent = watchPace(times);
  return {
    onResultDelivered(workflowId) {
      if (isTooFrequent()) return;
      clearTimeout(recentlyAnswered.get(workflowId));
      const expiry = setTimeout(() => recentlyAnswered.delete(workflowId), times.timeoutMs);
      recentlyAnswered.set(workflowId, expiry.unref());
    },
    notify(workflowId, awaitsEnd) {
      const name = awaitsEnd ? channel.completionWaiters : channel.signalNotices;
      if (awaitsEnd || recentlyAnswered.has(workflowId)) commands.publish(name, workflowId).catch(() => undefined);
    },
  };
}

/** The first of the signals that has aborted. */
const endedBy = (signals: Record<string, AbortSignal>): string =>
  Object.entries(signals).find(([, { aborted }]) => aborted)?.[0] ?? 'timeout';

/** For a process that executes calls. */
export function createCompletionBatching(
  channels: PubSub,
  { completionsHeld }: Pick<Metrics, 'completionsHeld'>,
  times = defaults,
): CompletionBatching {
  const notices = createWorkflowBroadcasts(channels, channel.signalNotices);
  const waiters = createWorkflowBroadcasts(channels, channel.completionWaiters);
  const isTooFrequent = watchPace(times);

  async function holdBriefly(stop: AbortSignal): Promise<void> {
    if (stop.aborted) return;
    await pause(times.fixedWaitMs);
    completionsHeld.inc({ ended_by: 'fixed_wait' });
  }

  async function holdUntilNotice(workflowId: string, waiter: AbortSignal, stop: AbortSignal): Promise<void> {
    if (stop.aborted) return;
    const notice = notices.subscribe(workflowId);
    const ended = AbortSignal.any([notice.signal, waiter, stop]);
    await pause(times.timeoutMs, undefined, { signal: ended }).catch(() => undefined);
    notice.unsubscribe();
    completionsHeld.inc({ ended_by: endedBy({ abort: stop, waiter, signal: notice.signal }) });
  }

  return {
    async hold(workflowId, result, stop) {
      if (isTooFrequent()) {
        await result;
        await holdBriefly(stop);
        return result;
      }
      const waiter = waiters.subscribe(workflowId);
      try {
        await result;
        await holdUntilNotice(workflowId, waiter.signal, stop);
        return await result;
      } finally {
        waiter.unsubscribe();
      }
    },
  };
}
