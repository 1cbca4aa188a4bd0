import { type CallInTime, type CallToMake, type MadeCall, submitCall } from '../../../services/calls/make-call.ts';
import { type Preference, readPreference } from '../../prefer.ts';
import { Accepted } from '../../reply.ts';
import type { RequestContext } from '../../route.ts';

export const preferenceOf = ({ sentHeaders }: RequestContext): Preference | undefined =>
  readPreference(sentHeaders.prefer);

/** Makes a call as its client prefers: the result that `make` waits for, or one that comes in time, else the answer that it goes on. */
export async function callAsPreferred(
  context: RequestContext,
  toMake: CallToMake,
  make: () => Promise<MadeCall>,
): Promise<MadeCall | Accepted> {
  const preference = preferenceOf(context);
  if (!preference) return make();
  const made = await submitCall(context, toMake, { streamed: false, ...preference });
  return made.result ? made : acceptedCall(made);
}

/** Makes a streamed call whose client reads its answer later. */
export const acceptStream = async (context: RequestContext, toMake: CallToMake): Promise<Accepted> =>
  acceptedCall(await submitCall(context, toMake, { streamed: true, waitMs: 0 }));

/** `spec 26.1` */
function acceptedCall(made: CallInTime): Accepted {
  const { jobId: job_id, callId: call_id } = made.call;
  const status = 'status' in made ? made.status : 'queued';
  return new Accepted({ job_id, call_id, status }, `/api/jobs/${job_id}/calls/${call_id}`);
}
