import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { estimateLostAttempt, insertInterruptedAttempts } from '../../src/db/calls/insert-attempts.ts';
import { markFirstToken } from '../../src/db/calls/mark-first-token.ts';
import type { CallToExecute } from '../../src/db/calls/start-call.ts';
import { callError } from '../../src/domain/call-state.ts';
import { isEmptyMessage } from '../../src/domain/chat-message.ts';
import type { ActiveSpan } from '../../src/tracing/tracing.ts';
import type { ActivityDeps } from '../ports.ts';
import type { CallAborts } from './call-aborts.ts';
import type { CallRequest } from './call-request.ts';
import type { EarlyAnswer } from './early-answer.ts';
import { estimateOfLost, withEstimate } from './estimate-attempt.ts';
import type { FramePublisher } from './frame-publisher.ts';
import { modelCall } from './model-call.ts';
import { superseded } from './recorded-result.ts';
import { noAnswer, shownOutcome, stoppedOutcome } from './stopped-answer.ts';
import { type AnswerReceiver, type ModelOutcome, tryModels } from './try-models.ts';

/** An attempt whose call is running. */
export interface Execution {
  deps: ActivityDeps;
  call: CallToExecute;
  request: CallRequest;
  workerAttempt: number;
  publisher: FramePublisher;
  aborts: CallAborts;
  early: EarlyAnswer | undefined;
  /** Of this attempt. Undefined: it is not traced. */
  span: ActiveSpan | undefined;
}

/** Asks the models in turn, unless an earlier attempt has shown something of an answer. */
export async function requestAnswer(execution: Execution): Promise<ModelOutcome> {
  const { deps, call, workerAttempt, publisher, aborts } = execution;
  // An earlier attempt has sent a token: no other may start over.
  if (call.has_first_token)
    return (call.is_stop_requested && (await shownOutcome(execution))) || interruptedOutcome(execution);
  if (aborts.isStopped) return stoppedOutcome(noAnswer());
  const requestedAt = execution.early?.requestedAt ?? performance.now();
  const receiver: AnswerReceiver = {
    signal: aborts.signal,
    async onDelta(delta) {
      if (!aborts.hasFirstToken) {
        const model_group = deps.metrics.modelGroup(call.model_group_used);
        deps.metrics.firstTokenSeconds.observe({ model_group }, (performance.now() - requestedAt) / 1_000);
        await markShown(execution);
      }
      publisher.delta(delta);
    },
  };
  const outcome = await (execution.early?.adopt(receiver) ??
    modelCall(deps, call, execution.request, receiver, execution.span).then(tryModels));
  if (!outcome.error) return outcome;
  if (aborts.isStopped && outcome.failure === null) {
    // A call that is not streamed shows it with its end.
    if (!aborts.hasFirstToken && !isEmptyMessage(outcome.answer.message)) await markShown(execution);
    return stoppedOutcome(await withEstimate(execution, outcome));
  }
  if (!aborts.isHandedOver) return withEstimate(execution, outcome);
  if (aborts.hasFirstToken)
    return { ...(await withEstimate(execution, outcome)), error: callError.interrupted, failure: null };
  // No token was sent: another attempt starts over.
  const attempts = outcome.attempts.map((one) => (one.outcome === 'cancelled' ? { ...one, ...interrupted } : one));
  await retryUntilAvailable(() => insertInterruptedAttempts(deps.database, call.call_id, workerAttempt, attempts));
  throw aborts.signal.reason;
}

/** From here on no other attempt may start over. */
async function markShown({ deps, call, workerAttempt, aborts }: Execution): Promise<void> {
  const isMarked = await retryUntilAvailable(() => markFirstToken(deps.database, call.call_id, workerAttempt));
  if (!isMarked) throw superseded();
  aborts.hasFirstToken = true;
}

/** The outcome of a call whose worker was lost after it had sent a token, with the estimate of what that attempt took. */
async function interruptedOutcome(execution: Execution): Promise<ModelOutcome> {
  const { deps, call } = execution;
  const estimated = await estimateOfLost(execution, call.candidates[0]?.model ?? '');
  await retryUntilAvailable(() => estimateLostAttempt(deps.database, call.call_id, estimated));
  return { ...noAnswer(), error: callError.interrupted, estimatedCostUsd: estimated.estimated_cost_usd };
}

/** What is recorded of the request that was aborted when the call was handed over: no client cancelled it. */
const interrupted = { outcome: 'interrupted', error: 'the worker gave it up' } as const;
