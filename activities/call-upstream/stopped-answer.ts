import { FrameReorder } from '../../src/calls/frame-reorder.ts';
import { retryUntilAvailable } from '../../src/concurrency/retry-until-available.ts';
import { estimateLostAttempt } from '../../src/db/calls/insert-attempts.ts';
import type { CallToExecute } from '../../src/db/calls/start-call.ts';
import {
  append,
  type Delta,
  isEmptyMessage,
  wholeMessage,
  withCompleteToolCalls,
} from '../../src/domain/chat-message.ts';
import { stopped } from '../../src/domain/finish-reason.ts';
import { emptyCompletion } from '../../src/upstream/answer/answer.ts';
import type { ActivityDeps } from '../ports.ts';
import type { CallRequest } from './call-request.ts';
import { estimateOfLost } from './estimate-attempt.ts';
import type { FramePublisher } from './frame-publisher.ts';
import type { ModelOutcome } from './try-models.ts';

export const noAnswer = (): ModelOutcome => ({ answer: emptyCompletion(), attempts: [], error: null, failure: null });

/** The outcome of a call that its client has stopped: it has succeeded, with what was produced so far. `spec 26.10` */
export const stoppedOutcome = ({ answer, attempts, estimatedCostUsd }: ModelOutcome): ModelOutcome => ({
  answer: { ...answer, message: withCompleteToolCalls(answer.message), finishReason: stopped },
  attempts: attempts.map((one) => (one.outcome === 'cancelled' ? { ...one, error: stopped } : one)),
  error: null,
  failure: null,
  ...(estimatedCostUsd !== undefined && { estimatedCostUsd }),
});

interface ShownCall {
  deps: Pick<ActivityDeps, 'callEvents' | 'database' | 'modelPrice'>;
  call: CallToExecute;
  request: Pick<CallRequest, 'estimateTokens'>;
  publisher: Pick<FramePublisher, 'delta'>;
}

/**
 * The outcome of a stopped call whose worker was lost before it could end it, from what that has published; it is published again, for
 * readers that have missed some of it. Undefined: Redis does not have it any more.
 */
export async function shownOutcome(execution: ShownCall): Promise<ModelOutcome | undefined> {
  const { deps, call, publisher } = execution;
  const deltas = await readShown(execution);
  const answer = emptyCompletion();
  for (const delta of deltas) append(answer.message, delta);
  if (isEmptyMessage(answer.message)) return undefined;
  answer.message = wholeMessage(answer.message);
  const estimated = await estimateOfLost(execution, call.candidates[0]?.model ?? '', answer.message);
  await retryUntilAvailable(() => estimateLostAttempt(deps.database, call.call_id, estimated));
  for (const delta of deltas) publisher.delta(delta);
  return stoppedOutcome({ ...noAnswer(), answer, estimatedCostUsd: estimated.estimated_cost_usd });
}

/** What earlier attempts have published, from its beginning on. Empty: some of it is missing. */
async function readShown({ deps, call }: ShownCall): Promise<Delta[]> {
  const frames = await deps.callEvents.storedFrames(call.call_id).catch(() => []);
  const reorder = new FrameReorder();
  const deltas = frames
    .flatMap((frame) => reorder.accept(frame))
    .flatMap((output) => (output.type === 'delta' ? [output.delta] : []));
  return reorder.hasGap ? [] : deltas;
}
