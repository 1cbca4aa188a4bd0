import type { CallEnd } from '../domain/call-result.ts';
import { workflowId } from '../domain/ids.ts';
import { Unavailable } from '../errors.ts';
import { type AdmittedCall, admitCall } from './admit-call.ts';
import { awaitResult } from './await-result.ts';
import type { CallContext, CallRequest, CallTarget } from './call-context.ts';
import { dispatchCall } from './dispatch-call.ts';
import { reserveTokens, type TokenReservation } from './token-budget.ts';

/** A call that has ended, in whatever way but by retraction. */
export interface EndedCall {
  call: AdmittedCall;
  result: Exclude<CallEnd, { status: 'retracted' }>;
}

/**
 * Makes a call and waits for its result: the limit, the record beside the subscription, the signal, in this order. Throws the
 * refusals of the admission, `Unavailable` for a call that is retracted, and `OutcomeUnknown`.
 */
export async function runCall(context: CallContext, request: CallRequest, target: CallTarget): Promise<EndedCall> {
  const { deps } = context;
  const startedAt = performance.now();
  deps.jobs.requireWorkers();
  const reservation = await reserveTokens(context, request);
  const callId = context.newId('call');
  const awaited = awaitResult(deps, { callId, streamed: false });
  try {
    const admitting = admitCall(context, { callId, request, target, streamed: false });
    const [call] = await Promise.all([admitting, awaited.subscribed]);
    const result = (await dispatchCall(deps, call)) ?? (await awaited.result(call.retractable));
    if (result.status === 'retracted') throw new Unavailable('worker');
    settleCall(context, call, reservation, result);
    if (result.status === 'succeeded')
      deps.metrics.callOverheadSeconds.observe((performance.now() - startedAt - result.latencyMs) / 1_000);
    return { call, result };
  } catch (error) {
    reservation.release(error);
    throw error;
  } finally {
    awaited.close();
  }
}

/** The result of a call goes to its client. */
export function settleCall(
  { deps }: CallContext,
  { job }: AdmittedCall,
  reservation: TokenReservation,
  result: CallEnd,
): void {
  reservation.settle(result);
  deps.signalNotices.answered(workflowId.job(job.job_id));
}
