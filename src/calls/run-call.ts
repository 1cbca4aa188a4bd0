import type { CallResult } from '../domain/call-result.ts';
import { Unavailable } from '../errors.ts';
import { type AdmittedCall, admitCall, type CallToAdmit } from './admit-call.ts';
import { type CallContext, dropRequest, type ModelRequest } from './call-context.ts';
import { takeCallSlot } from './call-slot.ts';
import { type CallTarget, isFound, isReplaceable, type KnownTarget } from './call-target.ts';
import { dispatchCall } from './dispatch-call.ts';
import { makeInJob, mayBeRefusedMs } from './make-in-job.ts';
import { subscribeToResult } from './subscribe-to-result.ts';
import { reserveTokens } from './token-budget.ts';

/** A call that has ended, in whatever way but by retraction. */
export interface EndedCall {
  call: AdmittedCall;
  result: Exclude<CallResult, { status: 'retracted' }>;
}

/**
 * Makes a call and waits for its result: its place, the limit, the record beside the subscription, the signal, in this order. Throws the
 * refusals of the admission, `Unavailable` for a call that is retracted, and `OutcomeUnknown`.
 */
export async function runCall(context: CallContext, request: ModelRequest, target: CallTarget): Promise<EndedCall> {
  const startedAt = performance.now();
  context.deps.jobs.requireWorkers();
  const leave = takeCallSlot(context);
  try {
    return await makeCall(context, request, target, startedAt);
  } finally {
    leave();
  }
}

async function makeCall(
  context: CallContext,
  request: ModelRequest,
  target: CallTarget,
  startedAt: number,
): Promise<EndedCall> {
  const { deps } = context;
  const reservation = await reserveTokens(context, request);
  const make = (callId: string, intoJob: KnownTarget) =>
    admitAndAwait(context, { callId, request, target: intoJob, streamed: false });
  try {
    const ended = isFound(target)
      ? await makeInJob(context, target, make, ({ call, result }) =>
          result.status === 'refused' ? call.jobId : undefined,
        )
      : await make(context.newId('call'), target);
    const { result } = ended;
    reservation.replaceEstimate(result);
    if (result.status === 'succeeded')
      deps.metrics.callOverheadSeconds.observe((performance.now() - startedAt - result.latencyMs) / 1_000);
    return ended;
  } catch (error) {
    reservation.release(error);
    throw error;
  }
}

async function admitAndAwait(context: CallContext, toAdmit: CallToAdmit): Promise<EndedCall> {
  const { deps } = context;
  const { request, target } = toAdmit;
  if (request.body === '') throw new Unavailable('job');
  const subscription = subscribeToResult(deps, toAdmit);
  let dropping: NodeJS.Timeout | undefined;
  try {
    const [call] = await Promise.all([admitCall(context, toAdmit), subscription.ready]);
    // A call that its job refuses may be made again in another job.
    if (isReplaceable(target)) dropping = setTimeout(() => dropRequest(context, request), mayBeRefusedMs);
    else dropRequest(context, request);
    const result = (await dispatchCall(deps, call)) ?? (await subscription.result(call.retractable));
    if (result.status === 'retracted') throw new Unavailable('worker');
    return { call, result };
  } finally {
    clearTimeout(dropping);
    subscription.close();
  }
}
