import { z } from 'zod';
import { reportedCost } from '../../domain/pricing.ts';
import type { CompletionResult } from '../answer/answer.ts';
import { Usage, UsageCount } from '../answer/token-usage.ts';
import { AnswerTimeouts, type TimeoutSettings } from '../answer-timeouts.ts';
import type { Sender, UpstreamClient } from '../client.ts';
import type { OpenBody } from '../request-body.ts';
import { reportedError, unreadable, webPage } from '../upstream-error.ts';
import { type EmbeddingsAnswer, readAnswer } from './read-answer.ts';
import { readEmbeddings } from './read-embeddings.ts';

/** What of an answer is read beside its vectors. */
const Details = z.object({
  model: z.string().nullish().catch(undefined),
  usage: Usage,
  error: z.unknown().optional(),
  object: z.unknown().optional(),
  code: z.unknown().optional(),
  data: z.unknown().optional(),
});

interface EmbeddingsRequest extends TimeoutSettings, Sender {
  signal: AbortSignal;
}

/**
 * Sends one request for vectors to one model, and fills `result`. Throws `UpstreamError`, or the reason of the signal when it was aborted.
 * `body`: opened; it is closed here.
 */
export async function requestEmbeddings(
  client: UpstreamClient,
  request: EmbeddingsRequest,
  body: Pick<OpenBody, 'content' | 'close'> & { inputs: number },
  result: CompletionResult,
): Promise<void> {
  const timeouts = new AnswerTimeouts(request);
  const signal = AbortSignal.any([request.signal, timeouts.signal]);
  try {
    const response = await client.embeddings(body.content, request, signal).finally(() => body.close());
    result.reportedCostUsd = reportedCost(response.reportedCost);
    takeAnswer(await readAnswer(response.body), body.inputs, result);
  } finally {
    timeouts.close();
  }
}

/** A failed request has its tokens and its cost too, so these are read before anything is thrown. */
function takeAnswer({ text, vectors }: EmbeddingsAnswer, inputs: number, result: CompletionResult): void {
  if (text.trimStart().startsWith('<')) throw webPage();
  const { data: answer } = Details.safeParse(parsed(text));
  if (!answer) throw unreadable();
  addDetails(answer, result);
  const error = answer.error || (answer.object === 'error' ? answer : undefined);
  if (error) throw reportedError(error);
  const embeddings = readEmbeddings(answer.data, vectors, inputs);
  if (!embeddings) throw unreadable();
  result.message = { content: '', embeddings };
  result.finishReason = 'stop';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** All tokens are those of the prompt: some servers name only the total. */
function addDetails({ model, usage }: z.output<typeof Details>, result: CompletionResult): void {
  result.modelUsed = model ?? undefined;
  if (!usage) return;
  const count = new UsageCount();
  count.add(usage);
  const { promptTokens, totalTokens } = count.tokens;
  const tokens = promptTokens || totalTokens;
  result.usage = { promptTokens: tokens, completionTokens: 0, totalTokens: tokens };
  result.reportedCostUsd ??= count.reportedCostUsd;
}
