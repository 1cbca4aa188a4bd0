import type { ServerResponse } from 'node:http';
import { emptyCompletion } from '../../src/upstream/answer/answer.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { requestCompletion } from '../../src/upstream/request-completion.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';
import { requestOnce, textOf } from './request-once.ts';
import { requestSource } from './request-source.ts';

const upstream = rawUpstreamForTests();
const request = (options: Parameters<typeof requestOnce>[2]) => requestOnce(upstream.url, 'a-model', options);

const event = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] })}\n\n`;

/** Writes the pieces, each after a pause, and ends the response. */
function writeSlowly(pieces: string[], everyMs: number) {
  upstream.answer = (response: ServerResponse) => {
    response.writeHead(200).flushHeaders();
    const timer = setInterval(() => {
      const piece = pieces.shift();
      if (piece !== undefined) return response.write(piece);
      clearInterval(timer);
      response.end();
    }, everyMs);
    response.once('close', () => clearInterval(timer));
  };
}

const tokens = [...'abcdefgh'].map((letter) => event(letter));

test.each([true, false])(
  'a stream whose events come all the time is read to its end, however long it takes (requested: %p) (spec 4.9)',
  async (streamed) => {
    writeSlowly([...tokens, event('', 'stop')], 100);

    const { answer, error } = await request({ streamed, timeoutMs: 500 });

    expect(error).toBeUndefined();
    expect(answer.message.content).toBe('abcdefgh');
  },
);

test.each([
  ['blank lines', '\n'],
  ['comments', ': still here\n\n'],
  ['comments as data', 'data: : still here\n\n'],
])('a stream in which only %s follow a token times out (spec 4.9)', async (_, piece) => {
  writeSlowly([event('a'), ...Array.from({ length: 50 }, () => piece)], 50);

  const { deltas, error } = await request({ streamed: true, timeoutMs: 400 });

  expect(error).toMatchObject({ message: 'the upstream timed out', mayFallBack: true });
  expect(textOf(deltas)).toBe('a');
});

test.each([true, false])(
  'a body that arrives slowly times out as a whole (streamed: %p) (spec 4.9)',
  async (streamed) => {
    const body = JSON.stringify({ choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }] });
    writeSlowly([...body], 40);

    expect((await request({ streamed, timeoutMs: 400 })).error?.message).toBe('the upstream timed out');
  },
);

test('a stream is cut at the maximum time, although its events come all the time (spec 4.9)', async () => {
  writeSlowly(
    Array.from({ length: 100 }, () => event('a')),
    50,
  );

  const { error, deltas } = await request({ streamed: true, timeoutMs: 400, maxMs: 800 });

  expect(error?.message).toBe('the upstream timed out');
  expect(deltas.length).toBeGreaterThan(5);
});

test('the time in which a token is handled does not count as silence of the upstream', async () => {
  upstream.answer = (response) => response.end(event('a') + event('b') + event('', 'stop'));
  const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 300 });
  const answer = emptyCompletion();
  const completion = {
    model: 'a-model',
    request: requestSource({}),
    streamed: true,
    callId: 'a',
    requestId: null,
    key: '',
    timeoutMs: 300,
    maxMs: 10_000,
  };

  await requestCompletion(client, { ...completion, signal: new AbortController().signal }, answer, () => {
    return new Promise((resolve) => setTimeout(resolve, 700));
  });

  expect(answer.message.content).toBe('ab');
  await client.close();
});

test('after an error in a stream its rest is read for a short time only', async () => {
  upstream.answer = (response) => {
    response.write('data: {"error":{"message":"no"}}\n\n');
  };
  const startedAt = performance.now();

  const { error } = await request({ streamed: true, timeoutMs: 20_000 });

  expect(error?.message).toBe('the upstream reported an error');
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('after [DONE] a stream does not wait for the end of its response, although no usage has come', async () => {
  upstream.answer = (response) => {
    response.write(`${event('a', 'stop')}data: [DONE]\n\n`);
  };
  const startedAt = performance.now();

  const { error } = await request({ streamed: true, timeoutMs: 20_000 });

  expect(error).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(2_000);
});
