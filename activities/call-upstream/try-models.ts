import type { ModelAttempt } from '../../src/db/calls/insert-attempts.ts';
import type { CallFailure } from '../../src/domain/call-failure.ts';
import { type Candidate, callError, shorten } from '../../src/domain/call-state.ts';
import { type Delta, isEmptyMessage } from '../../src/domain/chat-message.ts';
import type { ContextFigures } from '../../src/domain/context-figures.ts';
import { costOfTokens, type Price } from '../../src/domain/pricing.ts';
import { type CompletionResult, emptyCompletion } from '../../src/upstream/answer/answer.ts';
import type { UpstreamClient } from '../../src/upstream/client.ts';
import type { RequestSource } from '../../src/upstream/request-body.ts';
import { requestCompletion } from '../../src/upstream/request-completion.ts';
import { recordedFailure, UpstreamError } from '../../src/upstream/upstream-error.ts';
import type { ModelSpan } from './trace-call.ts';

/** Who receives the answer of the models, and aborts its request. */
export interface AnswerReceiver {
  signal: AbortSignal;
  onDelta(delta: Delta): Promise<void>;
}

/** A call as `tryModels` makes it. */
export interface ModelCall extends AnswerReceiver {
  callId: string;
  /** The `X-Request-Id` of the request that made it; null where it is not known. */
  requestId: string | null;
  /** Begins the span of a request to a model. Absent: the call is not traced. */
  trace?: ((model: string) => ModelSpan) | undefined;
  upstream: UpstreamClient;
  modelPrice(model: string): Promise<Price | undefined>;
  candidates: Candidate[];
  request: RequestSource;
  streamed: boolean;
  key: string;
  /** The timeouts of each model: `spec 4.9`. */
  timeoutMs: number;
  maxMs: number;
  /** Reports each request that has ended, for the log and the metrics; `error` is undefined where the model has answered. */
  onTried(model: string, error: UpstreamError | undefined): void;
  /**
   * After a refusal of the team, not of a model: makes the team at the upstream what it should be, and resolves with its key; undefined
   * if that is not possible.
   */
  restoreTeam(error: UpstreamError, requestedAt: number): Promise<string | undefined>;
}

export interface TriedModel extends ModelAttempt {
  /** What of it nobody knows: then it is recorded as 0. `spec 23.8` */
  unknown: { tokens: boolean; cost: boolean };
}

export interface ModelOutcome {
  answer: CompletionResult;
  attempts: TriedModel[];
  /** The error as it is recorded. Null: the answer is complete. */
  error: string | null;
  /** The reason why no model answered. Null: one did, or the call ended for another reason. */
  failure: CallFailure | null;
  /** What the upstream has named of a prompt that is too long. */
  contextFigures?: ContextFigures | undefined;
  /** What an aborted attempt took, which nobody reports. */
  estimatedCostUsd?: string;
}

/**
 * The first that is known: the upstream's own figure, the price of the member or alias, the upstream's price list. Undefined: none is.
 * `spec 4.5`
 */
async function findCost(
  modelCall: ModelCall,
  candidate: Candidate,
  answer: CompletionResult,
): Promise<string | undefined> {
  const { usage, reportedCostUsd } = answer;
  if (reportedCostUsd !== undefined) return reportedCostUsd;
  const priced = costOfTokens(usage, candidate);
  if (usage.totalTokens === 0) return isFree(candidate) ? priced : undefined;
  if (priced !== undefined) return priced;
  const listed = await modelCall.modelPrice(candidate.model);
  return listed && costOfTokens(usage, listed);
}

const isFree = ({ inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion }: Price): boolean =>
  [inputPerMillion, outputPerMillion].some((price) => price !== null) &&
  [inputPerMillion, outputPerMillion, cachedInputPerMillion, cacheWritePerMillion].every(
    (price) => Number(price ?? 0) === 0,
  );

/**
 * What of an attempt nobody knows: everything of one that was cut off; else what was not reported of an answer, unless the upstream
 * refused the request before there was any. `spec 23.8`
 */
function unknownOf(
  { signal }: ModelCall,
  { answer, error }: Tried,
  costUsd: string | undefined,
): TriedModel['unknown'] {
  if (error && (signal.aborted || error.isCutOff)) return { tokens: true, cost: true };
  const hasAnswer = !error || !isEmptyMessage(answer.message);
  return { tokens: hasAnswer && answer.usage.totalTokens === 0, cost: hasAnswer && costUsd === undefined };
}

/** A request that LiteLLM answers at the same time may put the team as it was back into LiteLLM's memory. */
const maxRestorations = 2;

interface Tried {
  answer: CompletionResult;
  /** Undefined: the answer is complete. */
  error: UpstreamError | undefined;
  startedAt: number;
}

async function toAttempt(modelCall: ModelCall, candidate: Candidate, tried: Tried): Promise<TriedModel> {
  const { answer, error, startedAt } = tried;
  const costUsd = await findCost(modelCall, candidate, answer);
  return {
    model: candidate.model,
    outcome: modelCall.signal.aborted ? 'cancelled' : error ? 'failed' : 'succeeded',
    error: error ? shorten(error.reason) : null,
    ...(error && !modelCall.signal.aborted && recordedFailure(error)),
    latency_ms: Math.round(performance.now() - startedAt),
    prompt_tokens: answer.usage.promptTokens,
    completion_tokens: answer.usage.completionTokens,
    cost_usd: costUsd ?? '0',
    unknown: unknownOf(modelCall, tried, costUsd),
  };
}

/**
 * Sends the request to the candidates in order of priority, until one has answered. The next one is tried only while no token was
 * sent and if the failure permits a fallback (`spec 4.2`). A model that refuses the team is tried again when the team has been restored
 * (`spec 8.10`), and one that refuses optional fields without them (`spec 31.5`). Every request is returned as an attempt. Throws what `onDelta` throws.
 */
export async function tryModels(modelCall: ModelCall): Promise<ModelOutcome> {
  const attempts: TriedModel[] = [];
  const waiting = [...modelCall.candidates];
  let { key } = modelCall;
  let restorations = 0;
  let hasFirstToken = false;
  const onDelta = async (delta: Delta) => {
    hasFirstToken = true;
    await modelCall.onDelta(delta);
  };
  for (let candidate = waiting.shift(); candidate; candidate = waiting.shift()) {
    const answer = emptyCompletion();
    const startedAt = performance.now();
    const error = await tryModel({ ...modelCall, key }, candidate, answer, onDelta);
    attempts.push(await toAttempt(modelCall, candidate, { answer, error, startedAt }));
    modelCall.onTried(candidate.model, error);
    if (!error) return { answer, attempts, error: null, failure: null };
    const reason = shorten(error.message);
    if (modelCall.signal.aborted) return { answer, attempts, error: reason, failure: null };
    const mayRestore = error.isOfTeam && restorations < maxRestorations && !hasFirstToken;
    const restoredKey = mayRestore ? await modelCall.restoreTeam(error, startedAt) : undefined;
    if (restoredKey !== undefined) {
      restorations += 1;
      key = restoredKey;
      waiting.unshift(candidate);
    } else if (error.mayAskWithout) {
      waiting.unshift(candidate);
    } else if (hasFirstToken || waiting.length === 0 || !error.mayFallBack) {
      const { failure, contextFigures } = error;
      return { answer, attempts, error: reason, failure, contextFigures };
    }
  }
  throw new Error('the call has no candidate model');
}

async function tryModel(
  modelCall: ModelCall,
  candidate: Candidate,
  answer: CompletionResult,
  onDelta: (delta: Delta) => Promise<void>,
): Promise<UpstreamError | undefined> {
  const { upstream, callId, requestId, request, streamed, key, timeoutMs, maxMs, signal } = modelCall;
  const { model } = candidate;
  const span = modelCall.trace?.(model);
  const traceContext = span?.context;
  const completion = { callId, requestId, traceContext, model, request, streamed, key, timeoutMs, maxMs, signal };
  const receive = (delta: Delta) => {
    span?.receivePiece();
    return onDelta(delta);
  };
  try {
    await requestCompletion(upstream, completion, answer, receive);
    span?.end(answer, undefined, false);
    return undefined;
  } catch (error) {
    span?.end(answer, error, signal.aborted);
    if (signal.aborted) return new UpstreamError(callError.cancelled, false);
    if (error instanceof UpstreamError) return error;
    throw error;
  }
}
