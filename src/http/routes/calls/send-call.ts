import { closeCall } from '../../../db/queries/close-call.ts';
import { findJob } from '../../../db/queries/find-job.ts';
import { readCallEnd } from '../../../db/queries/read-call-end.ts';
import type { Deps } from '../../../deps.ts';
import type { CallEnd } from '../../../domain/frames.ts';
import { isFinished } from '../../../domain/job.ts';
import type { AdmittedCall } from './admit.ts';

/**
 * Tells the job's workflow of the call. Undefined: it was heard. Else how the call ended: the job ended first, so it is refused,
 * unless this request is a repetition and the call has long been made.
 */
export async function sendCall(deps: Deps, call: AdmittedCall): Promise<CallEnd | undefined> {
  const { jobs } = deps;
  const send = call.opensJob ? jobs.startWithCall : jobs.call;
  if (await send(call.job, call.callId, call.modelGroup)) return undefined;
  const status = (await findJob(deps.database, call.job.job_id))?.status ?? 'completed';
  // Open by its record and not by its workflow: an operator has terminated that, and the next round ends the job as failed.
  await closeCall(deps.database, call.callId, 'refused', isFinished(status) ? status : 'failed');
  return readCallEnd(deps.database, call.callId);
}
