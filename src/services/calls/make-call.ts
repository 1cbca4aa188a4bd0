import { adoptCall } from '../../calls/adopt-call.ts';
import type { CallContext, ModelRequest } from '../../calls/call-context.ts';
import type { CallInJob, CallTarget } from '../../calls/call-target.ts';
import { awaitJobResult } from '../../calls/job-result.ts';
import { runCall } from '../../calls/run-call.ts';
import { type StreamedCall, streamCall } from '../../calls/stream-call.ts';
import { type SubmittedCall, submitCall as submit } from '../../calls/submit-call.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import type { CallResult } from '../../domain/call-result.ts';
import type { JobResult } from '../../domain/job-state.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { recordingAbandonment } from './abandoned-call.ts';

/** Whom a call notifies of its steps. A surface shows them in the headers of its answer. */
export type CallObserver = Pick<CallContext, 'onAdmitted' | 'onRequestStored' | 'onLimit'>;

export interface CallToMake {
  request: ModelRequest;
  target: CallTarget;
  observer: CallObserver;
}

/** A request that its client may repeat without an Idempotency-Key, to receive the call that it has made and left. `spec 18.7` */
export interface RepeatableRequest {
  /** The same for equal requests of one key, the current one first. */
  fingerprints(): Buffer[];
  /** Whether the client states that it repeats the request. */
  isRepetition: boolean;
}

export interface MadeCall {
  call: CallInJob & { callId: string };
  result: Exclude<CallResult, { status: 'retracted' }>;
  /** Undefined where the job goes on. */
  jobResult: JobResult | undefined;
}

/** Makes a call of the caller's team, and waits for its result and for that of a job which it ends. */
export async function makeCall(
  context: ServiceContext,
  toMake: CallToMake,
  repeatable?: RepeatableRequest,
): Promise<MadeCall> {
  const { call, result } = await callOnce(context, toMake, repeatable);
  // The job's result first, also for a failed call: a client that reads the job after the answer finds it ended.
  const jobResult = await awaitJobResult(context.deps, call, result, context.disconnected);
  return { call, result, jobResult };
}

/** Makes a call of the caller's team, and returns its answer as it comes. */
export const makeStreamedCall = (
  context: ServiceContext,
  { request, target, observer }: CallToMake,
): Promise<StreamedCall> => streamCall(newCallContext(context, observer), request, target);

/** A call that was made, or whose client reads its answer later. */
export type CallInTime = MadeCall | (Pick<SubmittedCall, 'call' | 'status'> & { result: undefined });

/** Makes a call of the caller's team, and waits for its result for at most so long. `spec 26.1` */
export async function submitCall(
  context: ServiceContext,
  { request, target, observer }: CallToMake,
  { streamed, waitMs }: { streamed: boolean; waitMs: number },
): Promise<CallInTime> {
  const submitted = await submit(newCallContext(context, observer), request, target, streamed);
  const { call, status } = submitted;
  const later = { call, status, result: undefined };
  if (streamed || waitMs === 0) return later;
  const end = submitted.result.then(async (result) => {
    if (!result || result.status === 'retracted') return undefined;
    return { call, result, jobResult: await awaitJobResult(context.deps, call, result, context.disconnected) };
  });
  return (await withTimeout(end, waitMs).catch(() => undefined)) ?? later;
}

const newCallContext = (
  { deps, caller, newId, operation, requestId, traceContext }: ServiceContext,
  observer: CallObserver,
): CallContext => ({
  deps,
  team: requireTeamCaller(caller),
  newId,
  operation,
  requestId,
  traceContext,
  ...observer,
});

/** The call of the request. Where no Idempotency-Key decides, that is one that its client has made before and left. `spec 18.7` */
async function callOnce(
  context: ServiceContext,
  { request, target, observer }: CallToMake,
  repeatable: RepeatableRequest | undefined,
): Promise<Omit<MadeCall, 'jobResult'>> {
  const callContext = newCallContext(context, observer);
  if (context.operation || !repeatable) return runCall(callContext, request, target);
  const fingerprints = repeatable.fingerprints();
  const recording = { ...recordingAbandonment(context, callContext), fingerprint: fingerprints[0]! };
  const adopted = repeatable.isRepetition && (await adoptCall(recording, fingerprints, target));
  return adopted || runCall(recording, request, target);
}
