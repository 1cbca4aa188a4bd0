import { requestEarly } from '../../activities/call-upstream/request-early.ts';
import type { ActivityDeps } from '../../activities/ports.ts';

type QueuedCall = Parameters<Parameters<ActivityDeps['queuedCalls']['subscribe']>[0]>[0];

export interface WorkerOutlook {
  /** The worker can run what it is given. */
  hasRoom(): boolean;
  /** Whether Temporal sends the call to this worker. */
  willBeGiven(call: QueuedCall): boolean;
}

/** Requests the answers to calls that an api has recorded and that Temporal sends to this worker a moment later. */
export function requestQueuedCalls(deps: ActivityDeps, { hasRoom, willBeGiven }: WorkerOutlook): void {
  if (!deps.config.SPECULATIVE_START) return;
  deps.queuedCalls.subscribe((queued) => {
    if (!hasRoom() || !willBeGiven(queued)) return;
    deps.speculativeStarts.expect(queued.callId, async () => {
      const call = queued.open();
      return call && requestEarly(deps, call);
    });
  });
}
