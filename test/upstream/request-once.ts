import type { AnswerParts } from '../../src/domain/call-options.ts';
import type { Delta } from '../../src/domain/chat-message.ts';
import { type CompletionResult, emptyCompletion } from '../../src/upstream/answer/answer.ts';
import type { SealReasoning } from '../../src/upstream/answer/reasoning-state.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { requestCompletion } from '../../src/upstream/request-completion.ts';
import { UpstreamError } from '../../src/upstream/upstream-error.ts';
import { requestSource } from './request-source.ts';

export interface RequestOutcome {
  answer: CompletionResult;
  deltas: Delta[];
  /** Undefined: the answer is complete. */
  error: UpstreamError | undefined;
}

/** The call of the requests. */
export const callId = '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2';

const fields = { messages: [{ role: 'user', content: 'Tell me about rivers' }] };

/** Sends one request, as an activity does. An error other than `UpstreamError` fails the test: it would make Temporal retry an activity. */
export async function requestOnce(
  url: string,
  model: string,
  {
    streamed = false,
    parts = undefined as AnswerParts | undefined,
    seal = undefined as SealReasoning | undefined,
    timeoutMs = 10_000,
    maxMs = 60_000,
    signal = new AbortController().signal,
    upstream = createUpstreamClient({ baseUrl: url, timeoutMs }),
  } = {},
): Promise<RequestOutcome> {
  const outcome: RequestOutcome = { answer: emptyCompletion(), deltas: [], error: undefined };
  try {
    await requestCompletion(
      upstream,
      {
        callId,
        requestId: null,
        model,
        request: requestSource(fields, parts, seal),
        streamed,
        key: 'sk-of-the-team',
        timeoutMs,
        maxMs,
        signal,
      },
      outcome.answer,
      async (delta) => {
        outcome.deltas.push(delta);
      },
    );
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    outcome.error = error;
  } finally {
    await upstream.close();
  }
  return outcome;
}

export const textOf = (deltas: Delta[]): string => deltas.map(({ content = '' }) => content).join('');
