import type { NamedCallRow } from '../../db/calls/named-calls.ts';
import { refuse } from '../../errors.ts';
import { stopCall } from '../calls/stop-call.ts';
import type { ServiceContext } from '../context.ts';

/** Stops a response that is made in the background, with what was written so far; one that has ended stays as it is. `spec 29.18` */
export async function cancelResponse(context: ServiceContext, call: NamedCallRow): Promise<void> {
  if (!call.asynchronous) throw refuse('response_not_in_background');
  if (!call.finished_at) await stopCall(context, { jobId: call.job_id, callId: call.call_id });
}
