import { requestEarly } from '../../activities/call-upstream/request-early.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { workflowId } from '../domain/ids.ts';
import type { HeldWorkflows } from './held-workflows.ts';

/**
 * Requests the answers to calls that an api has recorded, where their job's workflow is in this worker's cache: that is where Temporal
 * sends them. `hasRoom`: the worker can run what it is given.
 */
export function requestQueuedCalls(deps: ActivityDeps, held: HeldWorkflows, hasRoom: () => boolean): void {
  if (!deps.config.SPECULATIVE_START) return;
  deps.queuedCalls.subscribe(({ callId, jobId, open }) => {
    if (!hasRoom() || !held.has(workflowId.job(jobId))) return;
    deps.speculativeStarts.expect(callId, async () => {
      const call = open();
      return call && requestEarly(deps, call);
    });
  });
}
