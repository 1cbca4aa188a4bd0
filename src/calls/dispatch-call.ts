import { refuseLateCall } from '../db/calls/close-call.ts';
import { readCallResult } from '../db/calls/read-call-result.ts';
import type { CallResult } from '../domain/call-result.ts';
import { Unavailable } from '../errors.ts';
import type { AdmittedCall } from './admit-call.ts';
import type { CallDeps } from './ports.ts';

/**
 * Signals the call to the workflow of its job. Undefined: the workflow has the signal. Otherwise returns the call's result: its
 * job ended first, so the call is refused, unless this request is a repetition and the call was made before. A call whose signal
 * failed is retracted, unless a worker has started it all the same.
 */
export async function dispatchCall(deps: CallDeps, call: AdmittedCall): Promise<CallResult | undefined> {
  const { callId, job, isSingleCall, isJobNew, jobEnd, turnSeconds, modelGroup, purpose, retractable, deliveryIds } =
    call;
  const optional = {
    ...(purpose && { purpose }),
    ...(jobEnd && { end_job: jobEnd }),
    ...(turnSeconds && { turn_seconds: turnSeconds }),
  };
  const message = { call_id: callId, model_group: modelGroup, ...optional, opens_job: isSingleCall };
  publish(deps, call, 'queued');
  try {
    const isDelivered = await deps.jobs.addCall(job, message, isJobNew);
    // Not before: the event of a job that is retracted would have been sent.
    deps.deliveries.start(job.team_id, deliveryIds);
    if (isDelivered) return undefined;
    if (!(await refuseLateCall(deps.database, job.job_id, callId))) throw new Unavailable('job');
    publish(deps, call, 'refused');
    return await readCallResult(deps.database, callId);
  } catch (error) {
    if ((await deps.retractions.retractNowOrLater(retractable)) === 'started') return undefined;
    throw error;
  }
}

function publish({ changes }: CallDeps, { callId, job, isJobNew }: AdmittedCall, status: 'queued' | 'refused'): void {
  const { job_id, team_id } = job;
  if (isJobNew && status === 'queued') changes.publish('jobs', { job_id, team_id, status: 'pending' });
  changes.publish('calls', { call_id: callId, job_id, team_id, status });
}
