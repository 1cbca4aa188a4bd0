import { adoptAbandonedCall } from '../db/calls/abandoned-calls.ts';
import type { CallResult } from '../domain/call-result.ts';
import { Unavailable } from '../errors.ts';
import { type CallContext, VirtualKeyChanged } from './call-context.ts';
import { type CallInJob, type CallTarget, inJob } from './call-target.ts';
import { subscribeToResult } from './subscribe-to-result.ts';

/** A call that another request made, with its result. */
export interface AdoptedCall {
  call: CallInJob & { callId: string };
  result: Exclude<CallResult, { status: 'retracted' }>;
}

/**
 * The result of a call that the same request made before and whose client left: waits for it as that client did. Undefined: there
 * is no such call, or another request has adopted it. `target`: that of the same request. `spec 18.7`
 */
export async function adoptCall(
  context: CallContext,
  fingerprints: readonly Buffer[],
  target: CallTarget,
): Promise<AdoptedCall | undefined> {
  const { deps, team } = context;
  const { key_unchanged, call_id, job_id, single_call, extra_fields, blocked_fields, budget } =
    await adoptAbandonedCall(deps.database, team.teamId, { hashes: team.key.hashes, ...team.settings }, fingerprints);
  if (!key_unchanged) throw new VirtualKeyChanged();
  if (!call_id || !job_id) return undefined;
  context.onAdmitted({
    jobId: job_id,
    callId: call_id,
    extraFields: extra_fields ?? [],
    blockedFields: blocked_fields ?? [],
    budget,
  });
  const ofTarget = target.kind === 'previous' ? ({ ...target, kind: 'open_job', jobId: job_id } as const) : target;
  const call = {
    callId: call_id,
    ...inJob(ofTarget, job_id),
    ...(target.kind === 'previous' && { isSingleCall: single_call === true }),
  };
  const subscription = subscribeToResult(deps, { callId: call_id, streamed: false });
  try {
    await subscription.ready;
    const result = await subscription.result({
      callId: call_id,
      ...(call.isSingleCall && { singleCallJobId: job_id }),
    });
    if (result.status === 'retracted') throw new Unavailable('worker');
    return { call, result };
  } finally {
    subscription.close();
  }
}
