import { withTimeout } from '../concurrency/with-timeout.ts';
import { readCallResult } from '../db/calls/read-call-result.ts';
import type { CallResult } from '../domain/call-result.ts';
import { refuse, Unavailable } from '../errors.ts';
import { requestFields } from '../log.ts';
import { type AdmittedCall, admitCall, type CallToAdmit } from './admit-call.ts';
import { type CallContext, dropRequest, type ModelRequest } from './call-context.ts';
import { takeCallSlot } from './call-slot.ts';
import { type CallTarget, isFound, type KnownTarget } from './call-target.ts';
import { dispatchCall } from './dispatch-call.ts';
import { makeInJob } from './make-in-job.ts';
import { reserveTokens } from './token-budget.ts';

/** A call whose client may leave. */
export interface SubmittedCall {
  call: AdmittedCall;
  status: 'queued' | 'running' | 'succeeded' | 'failed';
  /** The result, once a worker has ended the call. Undefined: this process shuts down, and the call goes on. */
  result: Promise<CallResult | undefined>;
}

/** A worker starts a call within milliseconds, or its closing job refuses it. Afterwards the call is accepted, whenever it starts. */
const startedWithinMs = 1_000;

/**
 * Makes a call, and resolves when its workflow has it and does not refuse it. From then on it is never retracted: it ends as succeeded or
 * failed, whatever becomes of this process and of the workers. It has its place and its tokens until it has ended. `spec 26.1`
 */
export async function submitCall(
  context: CallContext,
  request: ModelRequest,
  target: CallTarget,
  streamed: boolean,
): Promise<SubmittedCall> {
  context.deps.jobs.requireWorkers();
  const leave = takeCallSlot(context);
  try {
    return await submit(context, request, target, { streamed, onEnded: leave });
  } catch (error) {
    leave();
    throw error;
  }
}

async function submit(
  context: CallContext,
  request: ModelRequest,
  target: CallTarget,
  { streamed, onEnded }: { streamed: boolean; onEnded: () => void },
): Promise<SubmittedCall> {
  const { deps } = context;
  const reservation = await reserveTokens(context, request);
  const make = (callId: string, intoJob: KnownTarget) =>
    admitAndFollow(context, { callId, request, target: intoJob, streamed, asynchronous: true });
  try {
    const { call, events, result } = isFound(target)
      ? await makeInJob(context, target, make, ({ call: made, result: first }) =>
          first?.status === 'refused' ? made.jobId : undefined,
        )
      : await make(context.newId('call'), target);
    if (result?.status === 'refused') throw refuse('job_finished', result.error);
    dropRequest(context, request);
    const { callId } = call;
    const ended = events.end.then(() => readCallResult(deps.database, callId));
    ended
      .then(
        (recorded) => recorded && reservation.replaceEstimate(recorded),
        (error: unknown) =>
          deps.log.debug({ err: error, ...requestFields(context), call_id: callId }, 'calls: result not read'),
      )
      .finally(onEnded);
    return { call, status: result?.status ?? (events.hasStarted ? 'running' : 'queued'), result: ended };
  } catch (error) {
    reservation.release(error);
    throw error;
  }
}

/** Resolves when the workflow of the job has the call, or refuses it. */
async function admitAndFollow(context: CallContext, toAdmit: CallToAdmit) {
  const { deps } = context;
  const events = await followCall(deps, toAdmit.callId);
  try {
    const call = await admitCall(context, toAdmit);
    events.isRecorded = true;
    const result =
      (await dispatchCall(deps, call)) ?? (await withTimeout(events.first, startedWithinMs).catch(() => undefined));
    if (result?.status === 'retracted') throw new Unavailable('worker');
    if (result?.status === 'refused') events.close();
    return { call, events, result };
  } catch (error) {
    events.close();
    throw error;
  }
}

interface FollowedCall {
  /** Resolves with the first event: the result, or undefined for any other. */
  first: Promise<CallResult | undefined>;
  /** Resolves when the call has ended, or this process shuts down. */
  end: Promise<void>;
  hasStarted: boolean;
  /** Set once the call is in the record. */
  isRecorded: boolean;
  close(): void;
}

async function followCall({ callSubscriptions }: CallContext['deps'], callId: string): Promise<FollowedCall> {
  const { promise: first, resolve: onFirst } = Promise.withResolvers<CallResult | undefined>();
  const { promise: end, resolve: onEnd } = Promise.withResolvers<void>();
  const endWith = (result: CallResult | undefined) => {
    onFirst(result);
    onEnd();
  };
  const followed = { first, end, hasStarted: false, isRecorded: false };
  const close = await callSubscriptions.subscribe(callId, {
    onEvent(event) {
      followed.hasStarted = true;
      if (event.type === 'end') endWith(event.end);
      else onFirst(undefined);
    },
    onRecordedResult: endWith,
    isRecorded: () => followed.isRecorded,
    onShutdown: () => endWith(undefined),
  });
  void end.then(close);
  return Object.assign(followed, { close });
}
