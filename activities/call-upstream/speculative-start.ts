import { requeueCall } from '../../src/db/calls/requeue-call.ts';
import { startCallOnly } from '../../src/db/calls/start-call.ts';
import type { Metrics } from '../../src/metrics/metrics.ts';
import type { CallUpstreamInput } from '../../workflows/contract/activities.ts';
import type { ActivityDeps, SpeculativeExecution, SpeculativeStarts, WorkerAttempt } from '../ports.ts';
import { executeCall, startAttempt } from './execute-call.ts';

/** The starts with `SPECULATIVE_START=off`: there are none. */
export const noSpeculativeStarts: SpeculativeStarts = {
  schedule: () => undefined,
  confirm: () => undefined,
  close: () => undefined,
};

interface ScheduledCall {
  execution: SpeculativeExecution | undefined;
  at: number;
  timeout: NodeJS.Timeout;
}

const defaults = {
  /**
   * Where the server gives activities to any worker, a speculative start would be in vain, and the upstream would receive the
   * request twice. So there is none before this many scheduled calls in a row were confirmed.
   */
  trustedAfter: 20,
  /** A confirmation follows the decision within milliseconds. While one takes longer than this, no other call is started. */
  doubtfulAfterMs: 1_000,
  /** An execution that is not confirmed by then is discarded: in time to answer 503 to its client if Temporal is unavailable. */
  discardAfterMs: 2_000,
};

export function createSpeculativeStarts(
  { speculativeStarts: started }: Pick<Metrics, 'speculativeStarts'>,
  options: Partial<typeof defaults> = {},
): SpeculativeStarts {
  const { trustedAfter, doubtfulAfterMs, discardAfterMs } = { ...defaults, ...options };
  /** The calls in the order in which they were scheduled. */
  const scheduled = new Map<string, ScheduledCall>();
  let confirmedInARow = 0;
  let isClosed = false;

  const isTrusted = (now: number): boolean => {
    const [oldest] = scheduled.values();
    return confirmedInARow >= trustedAfter && (!oldest || now - oldest.at < doubtfulAfterMs);
  };

  const discard = (callId: string): void => {
    const execution = scheduled.get(callId)?.execution;
    scheduled.delete(callId);
    confirmedInARow = 0;
    if (!execution) return;
    started.inc({ outcome: 'discarded' });
    execution.discard();
  };

  return {
    schedule(callId, start) {
      if (isClosed || scheduled.has(callId)) return;
      const now = performance.now();
      const execution = isTrusted(now) ? start?.() : undefined;
      scheduled.set(callId, { execution, at: now, timeout: setTimeout(discard, discardAfterMs, callId).unref() });
    },
    confirm({ input: { call_id }, workerAttempt, cancellation }) {
      const call = scheduled.get(call_id);
      if (!call) return undefined;
      clearTimeout(call.timeout);
      // Another worker was given the first attempt.
      if (workerAttempt > 1) {
        discard(call_id);
        return undefined;
      }
      scheduled.delete(call_id);
      confirmedInARow += 1;
      if (!call.execution) return undefined;
      started.inc({ outcome: 'confirmed' });
      call.execution.confirm(cancellation);
      return call.execution.result;
    },
    close() {
      isClosed = true;
    },
  };
}

/**
 * Executes the first attempt at a call before it is confirmed. The upstream receives the request, but nothing of the answer is
 * sent or recorded until then. Where the start changes more than the call, it waits for the confirmation too.
 */
export function startSpeculatively(
  deps: ActivityDeps,
  input: CallUpstreamInput,
  workflowId: string,
): SpeculativeExecution {
  const confirmed = Promise.withResolvers<void>();
  const cancellation = new AbortController();
  const attempt: WorkerAttempt = { input, workerAttempt: 1, workflowId, cancellation: cancellation.signal };
  const result = executeCall(deps, attempt, {
    async start() {
      const started = await startCallOnly(deps.database, input.call_id).catch(() => undefined);
      if (started) {
        confirmed.promise.catch(() => requeue(deps, input.call_id));
        return started;
      }
      await confirmed.promise;
      return startAttempt(deps, attempt);
    },
    beforeFirstEffect: () => confirmed.promise,
  });
  // Nothing waits for the result of a discarded attempt.
  for (const promise of [confirmed.promise, result]) promise.catch(() => undefined);
  return {
    confirm(signal) {
      const abort = () => cancellation.abort(signal.reason);
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
      confirmed.resolve();
    },
    discard() {
      const reason = new Error('NOT_CONFIRMED');
      cancellation.abort(reason);
      confirmed.reject(reason);
    },
    result,
  };
}

async function requeue({ database, log }: ActivityDeps, callId: string): Promise<void> {
  log.warn({ call_id: callId }, 'speculative start: discarded');
  // If this fails, the next attempt takes the call over at its second try.
  await requeueCall(database, callId).catch(() => undefined);
}
