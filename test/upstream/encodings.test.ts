import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import zlib from 'node:zlib';
import { emptyCompletion } from '../../src/upstream/answer/answer.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { requestCompletion } from '../../src/upstream/request-completion.ts';
import { until } from '../support/until.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';
import { requestOnce, textOf } from './request-once.ts';
import { requestSource } from './request-source.ts';

const upstream = rawUpstreamForTests();
const request = (streamed: boolean, options = {}) => requestOnce(upstream.url, 'a-model', { streamed, ...options });

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, cost: 0.25 };
const body = JSON.stringify({ choices: [{ message: { content: 'Grüße' }, finish_reason: 'stop' }], usage });
const chunk = (content: string, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }], usage })}\n\n`;
const events = `${chunk('Grü')}${chunk('ße', 'stop')}data: [DONE]\n\n`;

const answerWith = (encoding: string | undefined, bytes: (text: string) => Buffer) => {
  upstream.answer = (response, wantsStream) => {
    if (encoding) response.setHeader('content-encoding', encoding);
    response.end(bytes(wantsStream ? events : body));
  };
};

const encodings: [string, string | undefined, (text: string) => Buffer][] = [
  ['gzip', 'gzip', zlib.gzipSync],
  ['x-gzip in capitals', 'X-GZIP', zlib.gzipSync],
  ['br', 'br', zlib.brotliCompressSync],
  ['deflate', 'deflate', zlib.deflateSync],
  ['deflate without its header', 'deflate', zlib.deflateRawSync],
  ['zstd', 'zstd', zlib.zstdCompressSync],
  ['gzip and then br', 'gzip, br', (text) => zlib.brotliCompressSync(zlib.gzipSync(text))],
  ['gzip without a label', undefined, zlib.gzipSync],
  ['zstd without a label', undefined, zlib.zstdCompressSync],
  ['identity', 'identity', Buffer.from],
  ['none, although the label is gzip', 'gzip', Buffer.from],
  ['none, although the label is no encoding', 'utf-8', Buffer.from],
  ['gzip without its end', 'gzip', (text) => zlib.gzipSync(text).subarray(0, -8)],
];

test.each(encodings)('an answer whose encoding is %s is decoded, streamed or not', async (_, label, bytes) => {
  answerWith(label, bytes);

  for (const { answer, error } of [await request(true), await request(false)]) {
    expect(error).toBeUndefined();
    expect(answer).toMatchObject({
      message: { content: 'Grüße' },
      usage: { promptTokens: 11, completionTokens: 7, totalTokens: 18 },
      reportedCostUsd: '0.25',
    });
  }
});

const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1);

test.each([
  ['is of another encoding', 'br', zlib.gzipSync(body).subarray(2)],
  ['is damaged', 'gzip', Buffer.concat([zlib.gzipSync(body).subarray(0, 20), Buffer.alloc(40, 7)])],
  ['is of an unknown encoding', 'compress', Buffer.from([0x1f, 0x9d, 0x90, 1, 2, 3])],
  ['is cut', 'gzip', cut(zlib.gzipSync(body))],
])('an encoded answer that %s is an error', async (_, label, bytes) => {
  answerWith(label, () => bytes);

  expect((await request(false)).error).toMatchObject({ message: 'the upstream sent an unreadable answer' });
  expect((await request(true)).error?.message).toMatch(/unreadable|without a finish reason/);
});

type Compressor = zlib.Gzip | zlib.BrotliCompress | zlib.ZstdCompress;

test.each<[string, () => Compressor]>([
  ['gzip', zlib.createGzip],
  ['br', zlib.createBrotliCompress],
  ['deflate', zlib.createDeflate],
  ['zstd', zlib.createZstdCompress],
])('the pieces of a flushed stream of the encoding %s are passed on as they come', async (encoding, create) => {
  let response: ServerResponse | undefined;
  upstream.answer = (one) => {
    response = one;
    one.writeHead(200, { 'content-encoding': encoding, 'content-type': 'text/event-stream' });
    one.flushHeaders();
  };
  const compressor = create();
  compressor.on('data', (bytes) => response?.write(bytes));
  const send = (text: string) => {
    compressor.write(text);
    compressor.flush();
  };
  const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 5_000 });
  const received: string[] = [];
  const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const completion = {
    model: 'a-model',
    request: requestSource({}),
    streamed: true,
    callId: 'a',
    requestId: null,
    key: '',
    timeoutMs: 5_000,
    maxMs: 5_000,
  };

  const requesting = requestCompletion(
    client,
    { ...completion, signal: new AbortController().signal },
    emptyCompletion(),
    async ({ content = '' }) => arrivals[received.push(content) - 1]?.resolve(),
  );
  await until(() => response);
  send(chunk('one'));
  await arrivals[0]!.promise;
  send(chunk('two', 'stop'));
  await arrivals[1]!.promise;
  send('data: [DONE]\n\n');
  await requesting;

  expect(received).toEqual(['one', 'two']);
  await client.close();
});

test('an encoded answer that is too large when it is decoded is unreadable, and does not fill the memory', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(200 * 1_048_576, ' '));
  const ofComments = zlib.gzipSync(Buffer.from(`data: {}\n\n${':\n'.repeat(50 * 1_048_576)}`));
  const before = process.memoryUsage().rss;

  answerWith('gzip', () => Buffer.concat([zlib.gzipSync('{"choices":"'), bomb]));
  const whole = await request(false, { timeoutMs: 20_000 });
  answerWith('gzip', () => ofComments);
  const streamed = await request(true, { timeoutMs: 20_000 });

  for (const { error } of [whole, streamed]) expect(error?.message).toBe('the upstream sent an unreadable answer');
  expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1_048_576);
}, 60_000);

test('an encoded stream that breaks is an error with what has arrived', async () => {
  upstream.answer = (response) => {
    const encoded = zlib.createGzip();
    encoded.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
    encoded.write(chunk('half'));
    encoded.flush(() => setTimeout(() => response.destroy(), 50));
  };

  const { answer, deltas, error } = await request(true);

  expect(error?.message).toBe('the upstream broke off its answer');
  expect([textOf(deltas), answer.usage.totalTokens]).toEqual(['half', 18]);
});

test('a connection whose encoded stream was read to its end is used again', async () => {
  const client = createUpstreamClient({ baseUrl: upstream.url, timeoutMs: 2_000 });
  const shared = { ...client, close: async () => undefined };
  const before = upstream.connections;
  for (let count = 0; count < 5; count += 1) {
    let closed: Promise<unknown> = Promise.resolve();
    upstream.answer = (response) => {
      closed = once(response, 'close');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(zlib.gzipSync(events));
    };
    expect((await request(true, { upstream: shared })).error).toBeUndefined();
    await closed;
  }
  await client.close();

  expect(upstream.connections - before).toBeLessThan(4);
});
