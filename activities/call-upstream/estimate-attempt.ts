import type { Estimate } from '../../src/db/calls/insert-attempts.ts';
import type { CallToExecute } from '../../src/db/calls/start-call.ts';
import type { Message } from '../../src/domain/chat-message.ts';
import { costOfTokens, noTokens } from '../../src/domain/pricing.ts';
import { uncountedTokens } from '../../src/domain/token-estimate.ts';
import type { ActivityDeps } from '../ports.ts';
import type { CallRequest } from './call-request.ts';
import type { ModelOutcome } from './try-models.ts';

// What an aborted attempt took, which nobody reports: the tokens that were sent and received, at the price of the model. `spec 21.10`

interface Estimated {
  deps: Pick<ActivityDeps, 'modelPrice'>;
  call: Pick<CallToExecute, 'candidates'>;
  request: Pick<CallRequest, 'estimateTokens'>;
}

async function estimate({ deps, call, request }: Estimated, model: string, received: number): Promise<Estimate> {
  const sent = await request.estimateTokens();
  const usage = { promptTokens: sent, completionTokens: received, totalTokens: sent + received };
  const candidate = call.candidates.find((one) => one.model === model);
  const priced = candidate && costOfTokens(usage, candidate);
  const listed = priced === undefined ? await deps.modelPrice(model) : undefined;
  return {
    estimated_prompt_tokens: sent,
    estimated_completion_tokens: received,
    estimated_cost_usd: priced ?? (listed && costOfTokens(usage, listed)) ?? '0',
  };
}

/** The outcome with the estimate of its last attempt, if that was aborted and the upstream has reported nothing. */
export async function withEstimate(call: Estimated, outcome: ModelOutcome): Promise<ModelOutcome> {
  const { answer, attempts } = outcome;
  const last = attempts.at(-1);
  if (last?.outcome !== 'cancelled' || answer.usage.totalTokens > 0 || answer.reportedCostUsd !== undefined)
    return outcome;
  const estimated = await estimate(call, last.model, uncountedTokens(answer.usage, answer.message));
  return {
    ...outcome,
    attempts: [...attempts.slice(0, -1), { ...last, ...estimated }],
    estimatedCostUsd: estimated.estimated_cost_usd,
  };
}

/** Of an attempt whose worker was lost after the first token: how many more tokens it has received is not known without the answer. */
export const estimateOfLost = (call: Estimated, model: string, shown?: Message): Promise<Estimate> =>
  estimate(call, model, shown ? uncountedTokens(noTokens, shown) : 1);
