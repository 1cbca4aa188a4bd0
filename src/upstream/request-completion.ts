import { append, type Delta, type Message, type ToolCallDelta, wholeMessage } from '../domain/chat-message.ts';
import { noTokens, reportedCost, type TokenUsage } from '../domain/pricing.ts';
import { maxResponseSize, readWhole, type UpstreamClient, type UpstreamResponse } from './client.ts';
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
  /** The rest of the body, as the client sent it. */
  request: Record<string, unknown>;
  streamed: boolean;
  key: string;
  signal: AbortSignal;
}

/** What has been received so far. It is updated while the response is read, so that an incomplete answer can be recorded too. */
export interface CompletionResult {
  message: Message;
  modelUsed: string | undefined;
  finishReason: string | undefined;
  usage: TokenUsage;
  /** Exact decimal, USD; undefined when the upstream reported none. */
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
 * Sends one request to one model. Fills `result` while the response is read, and passes each piece of a stream to `onDelta`, in
 * order. Throws `UpstreamError`, or the reason of the signal when it was aborted.
 */
export async function requestCompletion(
  client: UpstreamClient,
  request: CompletionRequest,
  result: CompletionResult,
  onDelta: (delta: Delta) => Promise<void>,
): Promise<void> {
  const response = await client.chat(bodyOf(request), request.key, request.signal);
  const costInHeader = reportedCost(response.reportedCost);
  try {
    if (request.streamed) await readStream(response, result, onDelta);
    else await readBody(response, result);
  } finally {
    result.message = wholeMessage(result.message);
    // The header has precedence over the body: `spec 4.5`.
    result.reportedCostUsd = costInHeader ?? result.reportedCostUsd;
  }
}

/** Everything but the message, which a stream has in pieces. */
function setDetails(result: CompletionResult, completion: Completion): void {
  result.modelUsed = completion.model ?? result.modelUsed;
  result.finishReason = finishReasonOf(completion) ?? result.finishReason;
  const reported = usageOf(completion);
  if (!reported) return;
  if (reported.usage.totalTokens > 0) result.usage = reported.usage;
  result.reportedCostUsd = reported.reportedCostUsd ?? result.reportedCostUsd;
}

/** Throws if the completion contains an error. It may contain a part of an answer as well. */
function requireSuccess(completion: Completion): void {
  const error = errorOf(completion);
  if (error) throw reportedError(error);
}

async function readBody(response: UpstreamResponse, result: CompletionResult): Promise<void> {
  const completion = readCompletion(await readWhole(response.body));
  if (!completion) throw unreadable();
  // Before anything is thrown: a failed request has its tokens and its cost too.
  setDetails(result, completion);
  requireSuccess(completion);
  const message = messageOf(completion);
  if (!message) throw unreadable();
  result.message = message;
  // A stream is complete only with a finish reason; a body that is valid JSON is complete without one.
  result.finishReason ??= message.toolCalls ? 'tool_calls' : 'stop';
  if (isFailure(result.finishReason)) throw unfinished();
}

/** In characters, which are no more than the bytes. */
const sizeOf = ({ content = '', tool_calls = [] }: Delta): number =>
  [content, ...tool_calls.flatMap(textsOf)].reduce((sum, text) => sum + text.length, 0);

const textsOf = ({ id = '', function: { name = '', arguments: json = '' } = {} }: ToolCallDelta): string[] => [
  id,
  name,
  json,
];

async function readStream(
  response: UpstreamResponse,
  result: CompletionResult,
  onDelta: (delta: Delta) => Promise<void>,
): Promise<void> {
  const toolCallIndex = new ToolCallIndex();
  let size = 0;
  for await (const data of readSse(response.body)) {
    const text = data.trim();
    if (text === '[DONE]') break;
    // Some proxies keep a connection alive with empty events instead of comments.
    if (text === '') continue;
    const completion = readCompletion(data);
    if (!completion) throw unreadable();
    setDetails(result, completion);
    requireSuccess(completion);
    const delta = deltaOf(completion, toolCallIndex);
    if (!delta) continue;
    size += sizeOf(delta);
    if (size > maxResponseSize) throw unreadable();
    append(result.message, delta);
    await onDelta(delta);
  }
  // A stream that was closed in an orderly way may be incomplete all the same: `spec 5.4`.
  if (!result.finishReason) throw endedEarly();
  // At the end and not where the finish reason is read: the usage comes after it.
  if (isFailure(result.finishReason)) throw unfinished();
}
