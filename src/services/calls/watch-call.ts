import { type WatchedCall, watchCall as watch } from '../../calls/watch-call.ts';
import type { JobCallRow } from '../../db/calls/list-job-calls.ts';
import { readPayload } from '../../db/calls/read-payload.ts';
import { isNotKept } from '../../domain/formats/not-kept.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { admitReader, getCallForCaller } from './get-call.ts';

/** As much of a stored answer as shows whether it is one that is not kept. */
const beginning = 20;

/** The answer of any call that the caller may read, from its beginning. Refuses with `payload_deleted` what is no longer stored. */
export async function watchCall(
  context: ServiceContext,
  ids: { jobId: string; callId: string },
): Promise<WatchedCall & { call: JobCallRow }> {
  const call = await getCallForCaller(context, ids);
  await admitReader(context, call.job_id, call.call_id, ['response']);
  if (call.finished_at) {
    const payload = await readPayload(context.deps.database, call.call_id, beginning);
    if (!payload || isNotKept(payload.response ?? '')) throw refuse('payload_deleted');
  }
  return { call, ...(await watch(context.deps, call)) };
}
