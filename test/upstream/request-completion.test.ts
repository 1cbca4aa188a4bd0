import { createUpstreamClient } from '../../src/upstream/client.ts';
import { simulatorForTests } from '../simulator/client.ts';
import { until } from '../support/until.ts';
import { requestOnce, textOf } from './request-once.ts';

const simulator = simulatorForTests();
const request = (model: string, options?: Parameters<typeof requestOnce>[2]) =>
  requestOnce(simulator.url, model, options);
const stream = (model: string, options?: Parameters<typeof requestOnce>[2]) =>
  request(model, { streamed: true, ...options });

test('a response that is not streamed gives text, finish reason, usage and cost', async () => {
  const { answer, error } = await request('sim-tokens-4');

  expect(error).toBeUndefined();
  expect(answer).toMatchObject({
    message: { content: expect.any(String) },
    modelUsed: 'sim-tokens-4',
    finishReason: 'stop',
    usage: { promptTokens: 10, completionTokens: 4, totalTokens: 14 },
    reportedCostUsd: expect.stringMatching(/^0\.00001[78]\d*$/),
  });
});

test('a stream gives the same result as a response that is not streamed, and its text in deltas', async () => {
  const [whole, streamed] = await Promise.all([request('sim-tokens-4'), stream('sim-tokens-4')]);

  expect(streamed).toMatchObject({ error: undefined, answer: whole.answer });
  expect(streamed.deltas).toHaveLength(4);
  expect(textOf(streamed.deltas)).toBe(whole.answer.message.content);
});

test.each(['sim-split-frames-unicode', 'sim-crlf-unicode', 'sim-comments-unicode'])(
  'the stream of %s gives the same result as its response that is not streamed',
  async (model) => {
    const [whole, streamed] = await Promise.all([request(model), stream(model)]);

    expect(streamed).toMatchObject({ error: undefined, answer: whole.answer });
  },
);

/** The error message, and whether the next model may be tried: `spec 4.2` and `spec 4.3`. */
test.each([
  [400, 'the upstream rejected the request', false],
  [401, 'the upstream rejected its credential', false],
  [402, 'the upstream answered with status 402', false],
  [403, 'the upstream denied access', false],
  [404, 'the upstream does not know the model', false],
  [408, 'the upstream timed out', true],
  [409, 'the upstream reported a conflict', true],
  [413, 'the request is too large for the upstream', false],
  [422, 'the upstream rejected the request', false],
  [429, 'the upstream is rate limited', true],
  [500, 'the upstream answered with status 500', true],
  [503, 'the upstream answered with status 503', true],
  [599, 'the upstream answered with status 599', true],
])('a response with status %i fails with "%s" (fallback: %p)', async (status, message, mayFallBack) => {
  const outcomes = await Promise.all([request(`sim-fail-${status}`), stream(`sim-fail-${status}`)]);

  for (const { error, deltas } of outcomes) {
    expect(error).toMatchObject({ message, mayFallBack });
    expect(deltas).toEqual([]);
  }
});

const unreadable = 'the upstream sent an unreadable answer';
const webPage = 'the upstream answered with a web page';
const brokenOff = 'the upstream broke off its answer';
const withoutFinish = 'the upstream ended the stream without a finish reason';

test.each([
  ['sim-reset', 'the upstream could not be reached', 'the upstream could not be reached'],
  ['sim-hang', 'the upstream timed out', 'the upstream timed out'],
  ['sim-redirect', 'the upstream answered with status 307', 'the upstream answered with status 307'],
  ['sim-wrong-type', webPage, webPage],
  ['sim-half-json', unreadable, unreadable],
  ['sim-stream-cut-2', brokenOff, brokenOff],
  ['sim-stream-stall-2', 'the upstream timed out', 'the upstream timed out'],
  ['sim-error-in-stream-2', 'the upstream answered with status 500', 'the upstream answered with status 500'],
])('%s fails with "%s", and streamed with "%s"', async (model, whole, streamed) => {
  const timeoutMs = 300;

  expect((await request(model, { timeoutMs })).error?.message).toBe(whole);
  expect((await stream(model, { timeoutMs })).error?.message).toBe(streamed);
});

test('error messages contain no text, name or address of the upstream', async () => {
  const models = ['fail-400', 'fail-429', 'fail-500', 'error-in-stream', 'unknown', 'half-json', 'reset', 'no-finish'];

  const outcomes = await Promise.all(models.flatMap((name) => [request(`sim-${name}`), stream(`sim-${name}`)]));

  const reasons = outcomes.flatMap(({ error }) => (error ? [error.message] : []));
  expect(reasons.length).toBeGreaterThan(models.length);
  expect(reasons.join('\n')).not.toMatch(/sim-|litellm|openai|http|127\.0\.0\.1|sk-|model group/i);
});

test('the deltas before the end of a broken stream are recorded, and passed on once', async () => {
  const { answer, deltas } = await stream('sim-stream-cut-3-tokens-9-every-10');

  expect(deltas).toHaveLength(3);
  expect(answer.message.content).toBe(textOf(deltas));
});

test('a stream without a finish reason is an error, and a stream without [DONE] is not (spec 5.4)', async () => {
  expect((await stream('sim-no-finish')).error?.message).toBe(withoutFinish);
  expect((await stream('sim-no-done')).error).toBeUndefined();
});

test.each(['sim-no-usage', 'sim-wrong-usage'])(
  'an answer of %s without valid usage is successful, with 0 tokens',
  async (model) => {
    for (const { answer, error } of [await request(model), await stream(model)]) {
      expect(error).toBeUndefined();
      expect(answer.usage).toEqual({ promptTokens: 0, completionTokens: 0, totalTokens: 0 });
    }
  },
);

test.each([
  ['sim-cost-1500', '0.0015'],
  ['sim-cost-1500-usage-cost', '0.0015'],
  ['sim-no-cost', undefined],
])('the reported cost of %s is %s', async (model, cost) => {
  for (const { answer } of [await request(model), await stream(model)]) expect(answer.reportedCostUsd).toBe(cost);
});

test('a streamed tool call is put together from its chunks', async () => {
  const [whole, streamed] = await Promise.all([request('sim-tools'), stream('sim-tools')]);

  expect(whole.answer).toMatchObject({
    finishReason: 'tool_calls',
    message: { content: '', toolCalls: [{ type: 'function', function: { name: 'get_weather' } }] },
  });
  expect(streamed.answer).toEqual(whole.answer);
  expect(streamed.deltas.length).toBeGreaterThan(1);
});

test('empty, huge and malformed contents are recorded as far as possible', async () => {
  const contentOf = async (model: string) => (await stream(model)).answer.message.content;

  expect(await contentOf('sim-empty')).toBe('');
  expect(await contentOf('sim-null-content')).toBe('');
  expect(await contentOf('sim-null-bytes')).toContain('before\0after');
  expect(await contentOf('sim-lone-surrogate')).toContain('before\ufffdafter');
  expect(await contentOf('sim-huge-chunk-10')).toHaveLength(10 * 1_048_576);
}, 30_000);

test('characters that PostgreSQL does not accept are removed from the name of the model', async () => {
  const { answer } = await request('sim-ok-reports-a\0b\ud800');

  expect(answer.modelUsed).toBe('ab\ufffd');
});

test('a response larger than the maximum is unreadable', async () => {
  const [model, options] = ['sim-huge-chunk-70', { timeoutMs: 20_000 }] as const;
  for (const { error } of [await request(model, options), await stream(model, options)]) {
    expect(error?.message).toBe(unreadable);
  }
}, 30_000);

test('a request whose signal aborts rejects with the reason and is aborted at the upstream', async () => {
  const controller = new AbortController();
  const reason = new Error('cancelled');
  const client = createUpstreamClient({ baseUrl: simulator.url, timeoutMs: 20_000 });
  // Stays open until the end, because closing the client aborts all requests.
  const upstream = { ...client, close: async () => undefined };
  const model = 'sim-tokens-9-every-2000';
  const requesting = request(model, { streamed: true, signal: controller.signal, upstream });
  const seen = () => simulator.current.requestsFor({ model })[0];
  await until(() => seen()?.outcome === 'running');

  controller.abort(reason);

  await expect(requesting).rejects.toBe(reason);
  await until(() => seen()?.outcome === 'aborted');
  await client.close();
});
