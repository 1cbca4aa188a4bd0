import type { z } from 'zod';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { SingleCallRequest } from '../contracts/calls.ts';
import type { CallEnd } from '../domain/call-result.ts';
import { callError } from '../domain/call-state.ts';
import { tokensOfPrompt } from '../domain/chat-message.ts';
import { workflowId } from '../domain/ids.ts';
import { noTokens } from '../domain/pricing.ts';
import { refuse } from '../errors.ts';
import { limitCall, type TokenReservation } from '../http/limits/rate-limits.ts';
import type { RequestContext } from '../http/route.ts';
import { EventStream } from '../http/stream/event-stream.ts';
import type { AdmittedCall } from './admit-call.ts';
import { awaitCall, awaitStreamEnd } from './await-result.ts';
import { sendCall } from './dispatch-call.ts';
import { type FrameSubscription, subscribeToFrames } from './stream/relay-frames.ts';

type Asked = Pick<z.output<typeof SingleCallRequest>, 'messages' | 'max_tokens'> &
  Partial<Pick<z.output<typeof SingleCallRequest>, 'tools' | 'response_format'>>;

const estimatedTokens = (asked: Asked): number => tokensOfPrompt(asked) + (asked.max_tokens ?? 0);

/** What a call was for the team's limit: as counted by the upstream, or as estimated if a model has, or may have, worked on it. */
function usedTokens(asked: Asked, end: CallEnd): number {
  if (end.status === 'refused' || end.status === 'retracted') return 0;
  const { usage = noTokens, uncounted = 0 } = end;
  if (usage.totalTokens > 0) return usage.totalTokens;
  const isWorkedOn = end.status === 'succeeded' || uncounted > 0 || end.error === callError.cancelled;
  return isWorkedOn ? tokensOfPrompt(asked) + uncounted : 0;
}

function answered({ deps }: RequestContext, { job }: AdmittedCall, reservation: TokenReservation, used: number): void {
  reservation.settle(used);
  deps.signalNotices.answered(workflowId.job(job.job_id));
}

/** The steps of every call: the limit, the record beside the subscription, the signal, in this order. */
export async function runCall(
  context: RequestContext,
  asked: Asked,
  admit: () => Promise<AdmittedCall>,
): Promise<{ call: AdmittedCall; end: CallEnd }> {
  const { deps } = context;
  const startedAt = performance.now();
  deps.jobs.requireWorkers();
  const reservation = await limitCall(context, estimatedTokens(asked));
  const awaited = awaitCall(deps, { callId: context.newId('call'), streamed: false });
  try {
    const [call] = await Promise.all([admit(), awaited.listening]);
    const end = (await sendCall(deps, call)) ?? (await awaited.end(call.retractable));
    answered(context, call, reservation, usedTokens(asked, end));
    if (end.status === 'succeeded')
      deps.metrics.callOverheadSeconds.observe((performance.now() - startedAt - end.latencyMs) / 1_000);
    return { call, end };
  } catch (error) {
    reservation.release(error);
    throw error;
  } finally {
    awaited.leave();
  }
}

/** A few milliseconds after the signal are usual. When workers are slow, or Redis lost the message, the 200 goes out after this time. */
const takenWithinMs = 1_000;

/**
 * Waits until a worker begins the call or the job refuses it: a closing job is still open in its record, and only its workflow
 * refuses the call.
 */
async function refusalHeard(relay: FrameSubscription): Promise<CallEnd | undefined> {
  const end = await withTimeout(relay.firstWord, takenWithinMs).catch(() => undefined);
  return end?.status === 'refused' ? end : undefined;
}

/** The same steps, with the answer as it comes. `afterEnd` is waited for before `[DONE]`. */
export async function runStream(
  context: RequestContext,
  asked: Asked,
  admit: () => Promise<AdmittedCall>,
  afterEnd: (call: AdmittedCall, end: CallEnd) => Promise<unknown>,
): Promise<EventStream> {
  const { deps } = context;
  deps.jobs.requireWorkers();
  const reservation = await limitCall(context, estimatedTokens(asked));
  const callId = context.newId('call');
  const awaited = awaitCall(deps, { callId, streamed: true });
  const opening = subscribeToFrames(deps, callId);
  try {
    const [call, relay] = await Promise.all([admit(), opening, awaited.listening]);
    const naming = { callId: call.callId, model: call.requestedModel, created: Math.floor(Date.now() / 1_000) };
    const ended = (await sendCall(deps, call)) ?? (await refusalHeard(relay));
    // The job had ended or is closing: an ordinary 409. A repetition finds a call that was made, and streams its record.
    if (ended?.status === 'refused') throw refuse('job_finished', ended.error);
    // Settles what the call took of the limit when the call ends, which may be long after its reader has left.
    awaitStreamEnd(awaited, relay, call.retractable).then(
      (end) => answered(context, call, reservation, usedTokens(asked, end)),
      (error: unknown) => reservation.release(error),
    );
    const events = relay.events(naming, async (end) => end.status === 'retracted' || afterEnd(call, end));
    return new EventStream({ naming, ...(call.opensJob && { closesJob: call.job.job_id }) }, events);
  } catch (error) {
    void opening.then((relay) => relay.close());
    awaited.leave();
    reservation.release(error);
    throw error;
  }
}
