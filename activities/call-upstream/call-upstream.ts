import { activityInfo, cancellationSignal, heartbeat } from '@temporalio/activity';
import { closeCall } from '../../src/db/calls/close-call.ts';
import { startCall } from '../../src/db/calls/start-call.ts';
import { isUuid } from '../../src/domain/ids.ts';
import type { CallUpstreamInput, CallUpstreamResult, CloseCallInput } from '../../workflows/contract/activities.ts';
import type { ActivityDeps } from '../ports.ts';
import { executeCall } from './execute-call.ts';
import { FramePublisher } from './frame-publisher.ts';
import { retractedCall } from './recorded-result.ts';

/**
 * Two fit into the heartbeat timeout. While Redis is unavailable, a cancellation arrives with the answer to a heartbeat. Each
 * heartbeat costs the server a write: at one a second, those of 200 streams took a tenth of a small machine.
 */
const heartbeatMs = 4_000;

export const createCallActivities = (deps: ActivityDeps) => ({
  /**
   * One LLM call: requests the answer of a model, streams it, writes the record, publishes the end. Idempotent by `call_id` and
   * the guards on its row: an attempt after the one that finished the call does nothing, and an attempt after one that has sent
   * a token only ends the call. Retried by Temporal only when its worker was lost or an operator requests it.
   */
  async callUpstream(input: CallUpstreamInput): Promise<CallUpstreamResult> {
    // A signal from an operator may carry any text as the id, and PostgreSQL would refuse the query.
    if (!isUuid(input.call_id)) return retractedCall;
    const { attempt: workerAttempt, workflowExecution } = activityInfo();
    const { workflowId } = workflowExecution!;
    const heartbeats = setInterval(heartbeat, heartbeatMs);
    // The heartbeat timeout runs from when the server dispatched the attempt, perhaps to a worker that was frozen since.
    if (workerAttempt > 1) heartbeat();
    const early = await deps.speculativeStarts.take(input.call_id, workerAttempt);
    try {
      return await executeCall(deps, { input, workerAttempt, workflowId, cancellation: cancellationSignal(), early });
    } finally {
      clearInterval(heartbeats);
      deps.speculativeStarts.leave(input.call_id, early);
    }
  },

  /** Ends a call that no attempt will end, and publishes the end. Idempotent: an ended call stays as it is. */
  async closeCall({ call_id, status, error, job_started_at }: CloseCallInput): Promise<void> {
    if (!isUuid(call_id)) return;
    deps.speculativeStarts.discard(call_id);
    if (job_started_at !== undefined) {
      const start = { workerAttempt: 1, startsJob: true, jobStartedAt: new Date(job_started_at) };
      const call = await startCall(deps.database, call_id, start);
      if (call) {
        deps.deliveries.start(call.team_id, call.delivery_ids);
        deps.changes.publish('jobs', { job_id: call.job_id, team_id: call.team_id, status: 'in_progress' });
      }
    }
    const closed = await closeCall(deps.database, call_id, status, error);
    if (!closed) return;
    deps.deliveries.start(closed.team_id, closed.delivery_ids);
    deps.metrics.calls.inc({ outcome: status, streamed: String(closed.streamed) });
    deps.changes.publish('calls', { call_id, job_id: closed.job_id, team_id: closed.team_id, status });
    const source = { callId: call_id, workerAttempt: closed.worker_attempt + 1, streamed: true };
    await new FramePublisher(deps.callEvents, source).end({ status, error });
  },
});
