import type { CallInJob } from '../../calls/call-target.ts';
import type { StreamOutput } from '../../calls/frame-reorder.ts';
import { awaitJobResult } from '../../calls/job-result.ts';
import { watchCall, withEndTime } from '../../calls/watch-call.ts';
import { type CallToMake, submitCall } from '../calls/make-call.ts';
import type { ServiceContext } from '../context.ts';

type BackgroundCall = CallInJob & { callId: string };

/** Makes a call that ends whatever becomes of its client, of this process and of the workers. `spec 29.18` */
export async function makeInBackground(context: ServiceContext, toMake: CallToMake): Promise<BackgroundCall> {
  const { call } = await submitCall(context, toMake, { streamed: true, waitMs: 0 });
  return call;
}

/** The answer of the call that the request has made, as it comes. After its end, the next read waits until its job has ended. */
export async function* watchOwn(
  { deps }: Pick<ServiceContext, 'deps'>,
  call: BackgroundCall,
  left: AbortSignal,
): AsyncGenerator<StreamOutput> {
  const watched = await watchCall(deps, { call_id: call.callId, streamed: true });
  for await (const output of withEndTime(deps, call.callId, watched.outputs(left))) {
    yield output;
    if (output.type === 'end') await awaitJobResult(deps, call, output.end, left).catch(() => undefined);
  }
}
