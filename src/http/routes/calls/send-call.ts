import { refuseLateCall } from '../../../db/queries/close-call.ts';
import { readCallEnd } from '../../../db/queries/read-call-end.ts';
import type { Deps } from '../../../deps.ts';
import type { CallEnd } from '../../../domain/frames.ts';
import type { AdmittedCall } from './admit.ts';

/**
 * Signals the call to the job's workflow. Undefined: the workflow has it. Otherwise returns the call's end: the job ended
 * first, so the call is refused, unless this request is a repetition and the call was made long ago.
 */
export async function sendCall(deps: Deps, call: AdmittedCall): Promise<CallEnd | undefined> {
  const { jobs } = deps;
  const send = call.opensJob ? jobs.startWithCall : jobs.call;
  if (await send(call.job, call.callId, call.modelGroup)) return undefined;
  await refuseLateCall(deps.database, call.job.job_id, call.callId);
  return readCallEnd(deps.database, call.callId);
}
