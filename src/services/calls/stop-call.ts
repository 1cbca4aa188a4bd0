import { stopQueuedCall } from '../../calls/stop-queued-call.ts';
import { awaitEndOfCall } from '../../calls/watch-call.ts';
import { poll } from '../../concurrency/poll.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import type { JobCallRow } from '../../db/calls/list-job-calls.ts';
import { requestStop } from '../../db/calls/request-stop.ts';
import { publishStop } from '../../redis/stops.ts';
import type { ServiceContext } from '../context.ts';
import { idFrom } from '../derive-id.ts';
import { type FoundCall, getCall, getCallForCaller } from './get-call.ts';

/** A worker ends the call within milliseconds, without Redis within three seconds. One whose worker is lost ends with the next worker. */
const endsWithinMs = 5_000;

/** A notice may be lost, and a call that a worker has started may be queued again. */
const repeatedAfterMs = 1_000;

/** Ends a call with what it has produced so far, unless it has ended. Returns it as it is then. `spec 26.10` */
export async function stopCall(context: ServiceContext, ids: { jobId: string; callId: string }): Promise<FoundCall> {
  const call = await getCallForCaller(context, ids);
  if (!call.finished_at) await stopAndWait(context, call);
  return getCall(context, ids, { parts: [], maxBytes: 0 });
}

async function stopAndWait(context: ServiceContext, call: JobCallRow & { job_id: string }): Promise<void> {
  const { deps, disconnected } = context;
  const over = new AbortController();
  const entry = context.caller.kind === 'team' ? undefined : entryOf(context, call);
  const stop = async () => {
    const status = await requestStop(deps.database, call.call_id, entry);
    if (status === 'queued') await stopQueuedCall(deps, call);
    if (status === 'running') await publishStop(deps.redis.commands, call.call_id).catch(() => undefined);
    // It has ended, and its end may have been published before this waits for it.
    if (!status) over.abort();
  };
  // From before the stop, so that its effect is not missed.
  const ended = awaitEndOfCall(deps, call.call_id, endsWithinMs, AbortSignal.any([disconnected, over.signal]));
  let failure: unknown;
  const repeating = poll(async () => {
    failure = await stop().catch((error: unknown) => error);
  }, repeatedAfterMs);
  await repeating.first;
  const refused = failure;
  if (refused) over.abort();
  await ended;
  await repeating.close();
  if (refused) throw refused;
}

const entryOf = (context: ServiceContext, { call_id, job_id }: { call_id: string; job_id: string }): string =>
  auditEntry(idFrom(call_id)('stopped'), context, {
    action: 'stopped_call',
    resource_type: 'job',
    resource_id: job_id,
    details: { call_id },
  });
