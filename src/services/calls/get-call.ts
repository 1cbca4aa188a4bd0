import { awaitEndOfCall } from '../../calls/watch-call.ts';
import type { PayloadPart } from '../../contracts/job-calls.ts';
import { writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { findJobCall, type JobCallRow } from '../../db/calls/list-job-calls.ts';
import { type PayloadRow, readPayload } from '../../db/calls/read-payload.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { getJobForCaller } from '../jobs/get-job.ts';
import { type CallWithAttempts, withAttempts } from './list-job-calls.ts';

/** Which parts of the payload are wanted, and of each at most so many bytes. */
export interface WantedPayload {
  parts: readonly PayloadPart[];
  maxBytes: number;
}

export interface FoundCall extends CallWithAttempts {
  jobId: string;
  /** Undefined where no part of it is wanted, or nothing of it is stored. */
  payload: PayloadRow | undefined;
}

/** One call of a job, and what is stored of its request and of its response. Waits for its end for up to so many seconds. */
export async function getCall(
  context: ServiceContext,
  ids: { jobId: string; callId: string },
  { parts, maxBytes }: WantedPayload,
  waitSeconds = 0,
): Promise<FoundCall> {
  const { job_id, ...found } = await awaitedCall(context, ids, waitSeconds);
  const { call_id } = found;
  const [call] = await withAttempts(context, [found]);
  if (parts.length === 0) return { jobId: job_id, ...call!, payload: undefined };
  await admitReader(context, job_id, call_id, parts);
  return { jobId: job_id, ...call!, payload: await readPayload(context.deps.database, call_id, maxBytes) };
}

/** The call once it has ended, or else as it is after so many seconds. `spec 26.5` */
async function awaitedCall(
  context: ServiceContext,
  ids: { jobId: string; callId: string },
  waitSeconds: number,
): Promise<JobCallRow & { job_id: string }> {
  const call = await getCallForCaller(context, ids);
  if (call.finished_at || waitSeconds === 0) return call;
  const left = AbortSignal.any([context.disconnected, context.halfClosed()]);
  await awaitEndOfCall(context.deps, call.call_id, waitSeconds * 1_000, left);
  return getCallForCaller(context, ids);
}

/** A call of a job that the caller may see. */
export async function getCallForCaller(
  context: ServiceContext,
  { jobId, callId }: { jobId: string; callId: string },
): Promise<JobCallRow & { job_id: string }> {
  const { job_id } = await getJobForCaller(context, jobId);
  const call = await findJobCall(context.deps.database, job_id, callId);
  if (!call) throw refuse('call_not_found', callId);
  return { ...call, job_id };
}

/** An admin's reading is audited before anything is read, also in a view of the team. `spec 19.29` */
export async function admitReader(
  context: ServiceContext,
  jobId: string,
  callId: string,
  include: readonly PayloadPart[],
): Promise<void> {
  const { deps, caller } = context;
  if (caller.kind === 'team' && !caller.viewer) return;
  if (!deps.config.ADMIN_READS_PAYLOADS) throw refuse('payloads_hidden');
  const change = {
    action: 'read_call_payload',
    resource_type: 'job',
    resource_id: jobId,
    details: { call_id: callId, include },
  };
  await deps.database.transaction((entities) => writeRepeatableEntry(entities, context, change));
}
