import type { PayloadPart } from '../../contracts/job-calls.ts';
import { writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { findJobCall } from '../../db/calls/list-job-calls.ts';
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

/** One call of a job, and what is stored of its request and of its response. */
export async function getCall(
  context: ServiceContext,
  { jobId, callId }: { jobId: string; callId: string },
  { parts, maxBytes }: WantedPayload,
): Promise<FoundCall> {
  const { deps } = context;
  const { job_id } = await getJobForCaller(context, jobId);
  const found = await findJobCall(deps.database, job_id, callId);
  if (!found) throw refuse('call_not_found', callId);
  const [call] = await withAttempts(context, [found]);
  if (parts.length === 0) return { jobId: job_id, ...call!, payload: undefined };
  await admitReader(context, job_id, callId, parts);
  return { jobId: job_id, ...call!, payload: await readPayload(deps.database, callId, maxBytes) };
}

/** An admin's reading is audited before anything is read. `spec 19.29` */
async function admitReader(
  context: ServiceContext,
  jobId: string,
  callId: string,
  include: readonly PayloadPart[],
): Promise<void> {
  const { deps, caller } = context;
  if (caller.kind === 'team') return;
  if (!deps.config.ADMIN_READS_PAYLOADS) throw refuse('payloads_hidden');
  const change = {
    action: 'read_call_payload',
    resource_type: 'job',
    resource_id: jobId,
    details: { call_id: callId, include },
  };
  await deps.database.transaction((entities) => writeRepeatableEntry(entities, context, change));
}
