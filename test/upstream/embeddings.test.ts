import { setImmediate } from 'node:timers/promises';
import { emptyCompletion } from '../../src/upstream/answer/answer.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { requestEmbeddings } from '../../src/upstream/embeddings/request-embeddings.ts';
import { UpstreamError } from '../../src/upstream/upstream-error.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';

const upstream = rawUpstreamForTests();

/** Requests two vectors of an upstream that answers with this text. */
async function request(text: string, headers: Record<string, string> = {}, pieceBytes = Number.POSITIVE_INFINITY) {
  upstream.answer = async (response) => {
    response.writeHead(200, headers);
    for (let from = 0; from < text.length; from += pieceBytes) {
      response.write(text.slice(from, from + pieceBytes));
      await setImmediate();
    }
    response.end();
  };
  const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 2_000 });
  const answer = emptyCompletion();
  const options = {
    key: 'sk',
    requestId: null,
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    maxMs: 10_000,
  };
  const body = { content: '{}', inputs: 2, close: () => undefined };
  try {
    await requestEmbeddings(client, options, body, answer);
    return { answer, error: undefined };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return { answer, error };
  } finally {
    await client.close();
  }
}

const answerOf = (first: unknown, second: unknown, fields: object = {}): string =>
  JSON.stringify({ data: [first, second].map((embedding, index) => ({ index, embedding })), ...fields });

const float32 = (...numbers: number[]) => Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
const float64 = (...numbers: number[]) => Buffer.from(Float64Array.from(numbers).buffer).toString('base64');

test.each([
  ['numbers that float32 holds', [0.5, -1], [2, 0], { type: 'float32', vectors: [float32(0.5, -1), float32(2, 0)] }],
  ['numbers that it does not', [0.1, 1], [2, 3], { type: 'float64', vectors: [float64(0.1, 1), float64(2, 3)] }],
  ['base64', float32(0.1), float32(7), { type: 'float32', vectors: [float32(0.1), float32(7)] }],
  ['both', float32(0.5), [0.1], { type: 'float64', vectors: [float64(0.5), float64(0.1)] }],
])('vectors that come as %s are kept exactly (spec 30.2)', async (_, first, second, embeddings) => {
  const { answer, error } = await request(answerOf(first, second, { model: 'a-model' }));

  expect(error).toBeUndefined();
  expect(answer).toMatchObject({ message: { content: '', embeddings }, modelUsed: 'a-model', finishReason: 'stop' });
});

test.each([
  ['has NaN, which is no JSON', '{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}'],
  ['has a number beyond a double', '{"data":[{"index":0,"embedding":[1e400]},{"index":1,"embedding":[1]}]}'],
  ['has a number beyond float32', answerOf([1e39], [1])],
  ['has NaN in base64', answerOf(float32(Number.NaN), float32(1))],
  ['has a text among the numbers', answerOf(['0.5'], [1])],
  ['has base64 of half a number', answerOf('AAA=', float32(1))],
  ['has a text that is no base64', answerOf('not/base64!', float32(1))],
  ['has an empty text', answerOf('', '')],
  ['has vectors of different lengths', answerOf([1, 2], [1])],
  ['has nested vectors', answerOf([[1]], [[1]])],
  ['has an index as text', JSON.stringify({ data: ['0', '1'].map((index) => ({ index, embedding: [1] })) })],
  ['has an index twice', JSON.stringify({ data: [0, 0].map((index) => ({ index, embedding: [1] })) })],
  ['has indexes from 1', JSON.stringify({ data: [1, 2].map((index) => ({ index, embedding: [1] })) })],
  ['has three vectors', JSON.stringify({ data: [0, 1, 2].map((index) => ({ index, embedding: [1] })) })],
  ['has null for a vector', JSON.stringify({ data: [null, null] })],
  ['has no data', '{"usage":{"prompt_tokens":7}}'],
  ['is a list', '[]'],
  ['is null', 'null'],
  ['is empty', ''],
  ['has a vector without an end', `{"data":[{"index":0,"embedding":[${'1,'.repeat(3_000_000)}`],
  ['has a number for a vector', '{"data":[{"index":0,"embedding":0},{"index":1,"embedding":[1]}]}'],
  ['names another of its vectors', '{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":"#0"}]}'],
  ['breaks off', '{"data":[{"index":0,'],
])('an answer that %s is unreadable (spec 30.3)', async (_, text) => {
  const { error } = await request(text);

  expect(error).toMatchObject({ message: 'the upstream sent an unreadable answer', mayFallBack: true, isCutOff: true });
});

test('an error in an answer with status 200 fails the attempt, which has its tokens and cost (spec 30.3)', async () => {
  const { answer, error } = await request('{"error":{"message":"overloaded","code":503},"usage":{"prompt_tokens":7}}', {
    'x-litellm-response-cost': '0.25',
  });

  expect(error).toMatchObject({ mayFallBack: true, details: { status: 503 } });
  expect(answer).toMatchObject({ usage: { promptTokens: 7 }, reportedCostUsd: '0.25' });
});

test.each([
  ['both figures', { prompt_tokens: 7, total_tokens: 7 }, 7],
  ['the total alone', { total_tokens: 7 }, 7],
  ['tokens of an answer too', { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }, 7],
  ['none', undefined, 0],
])('the usage of an upstream that names %s is that of the prompt (spec 30.3)', async (_, usage, tokens) => {
  const { answer } = await request(answerOf([1], [2], { usage }));

  expect(answer.usage).toEqual({ promptTokens: tokens, completionTokens: 0, totalTokens: tokens });
});

test.each([1, 3, 7, 50])('an answer that arrives in pieces of %d bytes is the same (spec 30.3)', async (pieceBytes) => {
  const text = JSON.stringify(
    {
      object: 'list',
      note: 'an "embedding": [1, 2] in a text',
      data: [
        { object: 'embedding', embedding: [0.5, -0.25], index: 1 },
        { index: 0, object: 'embedding', embedding: float32(7, 8) },
      ],
      usage: { prompt_tokens: 7, total_tokens: 7 },
    },
    null,
    2,
  );

  const { answer, error } = await request(text, {}, pieceBytes);

  expect(error).toBeUndefined();
  expect(answer.message.embeddings).toEqual({ type: 'float32', vectors: [float32(7, 8), float32(0.5, -0.25)] });
  expect(answer.usage.promptTokens).toBe(7);
});
