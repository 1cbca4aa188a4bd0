import type { Delta } from '../../src/domain/chat-message.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { type CompletionResult, emptyCompletion, requestCompletion } from '../../src/upstream/request-completion.ts';
import { UpstreamError } from '../../src/upstream/upstream-error.ts';

export interface Asked {
  answer: CompletionResult;
  deltas: Delta[];
  /** Undefined: the answer is whole. */
  error: UpstreamError | undefined;
}

const request = { messages: [{ role: 'user', content: 'Tell me about rivers' }] };

/** Asks once, as an activity does. Whatever is thrown that is no `UpstreamError` fails the test: an activity would be retried. */
export async function askOnce(
  url: string,
  model: string,
  {
    streamed = false,
    timeoutMs = 2_000,
    signal = new AbortController().signal,
    upstream = createUpstreamClient({ baseUrl: url, timeoutMs }),
  } = {},
): Promise<Asked> {
  const asked: Asked = { answer: emptyCompletion(), deltas: [], error: undefined };
  try {
    await requestCompletion(
      upstream,
      { model, request, streamed, key: 'sk-of-the-team', signal },
      asked.answer,
      async (delta) => {
        asked.deltas.push(delta);
      },
    );
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    asked.error = error;
  } finally {
    await upstream.close();
  }
  return asked;
}

export const textOf = (deltas: Delta[]): string => deltas.map(({ content = '' }) => content).join('');
