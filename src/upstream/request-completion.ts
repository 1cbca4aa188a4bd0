import type { Delta, Message, ToolCallDelta } from '../domain/chat-message.ts';
import { append, wholeMessage } from '../domain/chat-message.ts';
import { noTokens, reportedCost, type TokenUsage } from '../domain/pricing.ts';
import { largestAnswer, readWhole, type UpstreamClient, type UpstreamResponse } from './client.ts';
import {
  type Completion,
  deltaOf,
  errorOf,
  finishReasonOf,
  isFailure,
  messageOf,
  readCompletion,
  usageOf,
} from './completion.ts';
import { readSse } from './read-sse.ts';
import { ToolCallIndex } from './tool-call-index.ts';
import { endedEarly, reportedError, unfinished, unreadable } from './upstream-error.ts';

export interface CompletionRequest {
  model: string;
  /** The rest of the request's body, as the client gave it. */
  request: Record<string, unknown>;
  streamed: boolean;
  key: string;
  signal: AbortSignal;
}

/** What is known of an answer so far; kept current while it comes, so that an answer that breaks off is recorded as far as it went. */
export interface CompletionResult {
  message: Message;
  modelUsed: string | undefined;
  finishReason: string | undefined;
  usage: TokenUsage;
  /** Exact decimal, USD; undefined when the upstream did not say. */
  reportedCostUsd: string | undefined;
}

export const emptyCompletion = (): CompletionResult => ({
  message: { content: '' },
  modelUsed: undefined,
  finishReason: undefined,
  usage: noTokens,
  reportedCostUsd: undefined,
});

const bodyOf = ({ model, request, streamed }: CompletionRequest): string =>
  JSON.stringify({ ...request, model, ...(streamed && { stream: true, stream_options: { include_usage: true } }) });

/**
 * Asks one model once. Fills `answer` as it comes and gives each piece of a stream to `onDelta`, in order. Throws
 * `UpstreamError`, or the signal's reason when it was aborted.
 */
export async function requestCompletion(
  client: UpstreamClient,
  question: CompletionRequest,
  answer: CompletionResult,
  onDelta: (delta: Delta) => Promise<void>,
): Promise<void> {
  const reply = await client.chat(bodyOf(question), question.key, question.signal);
  const costInHeader = reportedCost(reply.reportedCost);
  try {
    if (question.streamed) await readStream(reply, answer, onDelta);
    else await readAnswer(reply, answer);
  } finally {
    answer.message = wholeMessage(answer.message);
    // The header counts before the body: `spec 4.5`.
    answer.reportedCostUsd = costInHeader ?? answer.reportedCostUsd;
  }
}

function note(answer: CompletionResult, completion: Completion): void {
  answer.modelUsed = completion.model ?? answer.modelUsed;
  answer.finishReason = finishReasonOf(completion) ?? answer.finishReason;
  const used = usageOf(completion);
  if (!used) return;
  if (used.usage.totalTokens > 0) answer.usage = used.usage;
  answer.reportedCostUsd = used.reportedCostUsd ?? answer.reportedCostUsd;
}

/** Throws if the upstream says that the answer failed, of which it may send a part. */
function requireSuccess(completion: Completion): void {
  const error = errorOf(completion);
  if (error) throw reportedError(error);
}

async function readAnswer(reply: UpstreamResponse, answer: CompletionResult): Promise<void> {
  const completion = readCompletion(await readWhole(reply.body));
  if (!completion) throw unreadable();
  // A useless answer had its price too.
  note(answer, completion);
  requireSuccess(completion);
  const message = messageOf(completion);
  if (!message) throw unreadable();
  answer.message = message;
  // Unlike a stream, an answer in one body needs no finish reason to prove that it is complete.
  answer.finishReason ??= message.toolCalls ? 'tool_calls' : 'stop';
  if (isFailure(answer.finishReason)) throw unfinished();
}

/** In characters, which are no more than its bytes. */
const sizeOf = ({ content = '', tool_calls = [] }: Delta): number =>
  [content, ...tool_calls.flatMap(wordsOf)].reduce((sum, text) => sum + text.length, 0);

const wordsOf = ({ id = '', function: { name = '', arguments: written = '' } = {} }: ToolCallDelta): string[] => [
  id,
  name,
  written,
];

async function readStream(
  reply: UpstreamResponse,
  answer: CompletionResult,
  onDelta: (delta: Delta) => Promise<void>,
): Promise<void> {
  const places = new ToolCallIndex();
  let size = 0;
  for await (const data of readSse(reply.body)) {
    const said = data.trim();
    if (said === '[DONE]') break;
    // Some proxies keep a connection alive with events of no data instead of comments.
    if (said === '') continue;
    const completion = readCompletion(data);
    if (!completion) throw unreadable();
    note(answer, completion);
    requireSuccess(completion);
    const delta = deltaOf(completion, places);
    if (!delta) continue;
    size += sizeOf(delta);
    if (size > largestAnswer) throw unreadable();
    append(answer.message, delta);
    await onDelta(delta);
  }
  // However orderly the stream was closed: `spec 5.4`.
  if (!answer.finishReason) throw endedEarly();
  // Not where it is read: the usage comes after it.
  if (isFailure(answer.finishReason)) throw unfinished();
}
