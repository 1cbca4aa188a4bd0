import { refuseLateCall } from '../db/calls/close-call.ts';
import { readCallEnd } from '../db/calls/read-call-end.ts';
import type { CallEnd } from '../domain/call-result.ts';
import type { Deps } from '../http/ports.ts';
import type { AdmittedCall } from './admit-call.ts';

/**
 * Signals the call to the job's workflow. Undefined: the workflow has it. Otherwise returns the call's end: the job ended
 * first, so the call is refused, unless this request is a repetition and the call was made long ago. A call that could not be
 * sent is retracted.
 */
export async function sendCall(deps: Deps, call: AdmittedCall): Promise<CallEnd | undefined> {
  const { callId, job, opensJob, modelGroup, retractable } = call;
  try {
    const heard = await deps.jobs.addCall(job, { call_id: callId, model_group: modelGroup, opens_job: opensJob });
    if (heard) return undefined;
    await refuseLateCall(deps.database, job.job_id, callId);
    return await readCallEnd(deps.database, callId);
  } catch (error) {
    if (retractable) await deps.retractions.retractNowOrLater(retractable);
    throw error;
  }
}
