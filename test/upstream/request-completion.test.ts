import { createUpstreamClient } from '../../src/upstream/client.ts';
import { simulatorForTests } from '../simulator/client.ts';
import { until } from '../support/until.ts';
import { askOnce, textOf } from './ask.ts';

const simulator = simulatorForTests();
const ask = (model: string, options?: Parameters<typeof askOnce>[2]) => askOnce(simulator.url, model, options);
const stream = (model: string, options?: Parameters<typeof askOnce>[2]) => ask(model, { streamed: true, ...options });

test('a whole answer: text, reason, usage, cost', async () => {
  const { answer, error } = await ask('sim-tokens-4');

  expect(error).toBeUndefined();
  expect(answer).toMatchObject({
    message: { content: expect.any(String) },
    modelUsed: 'sim-tokens-4',
    finishReason: 'stop',
    usage: { promptTokens: 10, completionTokens: 4, totalTokens: 14 },
    reportedCostUsd: expect.stringMatching(/^0\.00001[78]\d*$/),
  });
});

test('a stream says the same, piece by piece', async () => {
  const [whole, streamed] = await Promise.all([ask('sim-tokens-4'), stream('sim-tokens-4')]);

  expect(streamed).toMatchObject({ error: undefined, answer: whole.answer });
  expect(streamed.deltas).toHaveLength(4);
  expect(textOf(streamed.deltas)).toBe(whole.answer.message.content);
});

test.each(['sim-split-frames-unicode', 'sim-crlf-unicode', 'sim-comments-unicode'])(
  '%s streams the same',
  async (model) => {
    const [whole, streamed] = await Promise.all([ask(model), stream(model)]);

    expect(streamed).toMatchObject({ error: undefined, answer: whole.answer });
  },
);

/** What is said of a failure, and whether the next model may be tried: `spec 4.2` and `spec 4.3`. */
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
])('status %i', async (status, message, mayFallBack) => {
  const asked = await Promise.all([ask(`sim-fail-${status}`), stream(`sim-fail-${status}`)]);

  for (const { error, deltas } of asked) {
    expect(error).toMatchObject({ message, mayFallBack });
    expect(deltas).toEqual([]);
  }
});

const unreadable = 'the upstream sent an unreadable answer';
const brokenOff = 'the upstream broke off its answer';
const withoutFinish = 'the upstream ended the stream without a finish reason';

test.each([
  ['sim-reset', 'the upstream could not be reached', 'the upstream could not be reached'],
  ['sim-hang', 'the upstream timed out', 'the upstream timed out'],
  ['sim-redirect', 'the upstream answered with status 307', 'the upstream answered with status 307'],
  ['sim-wrong-type', unreadable, withoutFinish],
  ['sim-half-json', unreadable, unreadable],
  ['sim-stream-cut-2', brokenOff, brokenOff],
  ['sim-stream-stall-2', 'the upstream timed out', 'the upstream timed out'],
  ['sim-error-in-stream-2', 'the upstream answered with status 500', 'the upstream answered with status 500'],
])('%s', async (model, whole, streamed) => {
  const timeoutMs = 300;

  expect((await ask(model, { timeoutMs })).error?.message).toBe(whole);
  expect((await stream(model, { timeoutMs })).error?.message).toBe(streamed);
});

test('nothing that the upstream wrote is in a reason', async () => {
  const models = ['fail-400', 'fail-429', 'fail-500', 'error-in-stream', 'unknown', 'half-json', 'reset', 'no-finish'];

  const asked = await Promise.all(models.flatMap((name) => [ask(`sim-${name}`), stream(`sim-${name}`)]));

  const reasons = asked.flatMap(({ error }) => (error ? [error.message] : []));
  expect(reasons.length).toBeGreaterThan(models.length);
  expect(reasons.join('\n')).not.toMatch(/sim-|litellm|openai|http|127\.0\.0\.1|sk-|model group/i);
});

test('what was said before it broke off is kept, and was given on once', async () => {
  const { answer, deltas } = await stream('sim-stream-cut-3-tokens-9-every-10');

  expect(deltas).toHaveLength(3);
  expect(answer.message.content).toBe(textOf(deltas));
});

test('a stream without a finish reason is an error, one without [DONE] is not', async () => {
  expect((await stream('sim-no-finish')).error?.message).toBe(withoutFinish);
  expect((await stream('sim-no-done')).error).toBeUndefined();
});

test.each(['sim-no-usage', 'sim-wrong-usage'])('%s: the figures are nought, the answer is good', async (model) => {
  for (const { answer, error } of [await ask(model), await stream(model)]) {
    expect(error).toBeUndefined();
    expect(answer.usage).toEqual({ promptTokens: 0, completionTokens: 0, totalTokens: 0 });
  }
});

test.each([
  ['sim-cost-1500', '0.0015'],
  ['sim-cost-1500-usage-cost', '0.0015'],
  ['sim-no-cost', undefined],
])('the cost that the upstream tells: %s', async (model, cost) => {
  for (const { answer } of [await ask(model), await stream(model)]) expect(answer.reportedCostUsd).toBe(cost);
});

test('tools: the call is put together from its pieces', async () => {
  const [whole, streamed] = await Promise.all([ask('sim-tools'), stream('sim-tools')]);

  expect(whole.answer).toMatchObject({
    finishReason: 'tool_calls',
    message: { content: '', toolCalls: [{ type: 'function', function: { name: 'get_weather' } }] },
  });
  expect(streamed.answer).toEqual(whole.answer);
  expect(streamed.deltas.length).toBeGreaterThan(1);
});

test('strange contents are kept as far as they can be', async () => {
  const kept = async (model: string) => (await stream(model)).answer.message.content;

  expect(await kept('sim-empty')).toBe('');
  expect(await kept('sim-null-content')).toBe('');
  expect(await kept('sim-null-bytes')).toContain('before\0after');
  expect(await kept('sim-lone-surrogate')).toContain('before\ufffdafter');
  expect(await kept('sim-huge-chunk-10')).toHaveLength(10 * 1_048_576);
}, 30_000);

test('names that PostgreSQL would not take are made such as it takes', async () => {
  const asked = await ask('sim-ok-reports-a\0b\ud800');

  expect(asked.answer.modelUsed).toBe('ab\ufffd');
});

test('an answer beyond all bounds is given up', async () => {
  for (const { error } of [await ask('sim-huge-chunk-70'), await stream('sim-huge-chunk-70')]) {
    expect(error?.message).toBe(unreadable);
  }
}, 30_000);

test('a request that is given up is aborted upstream', async () => {
  const left = new AbortController();
  const reason = new Error('cancelled');
  const client = createUpstreamClient({ baseUrl: simulator.url, timeoutMs: 20_000 });
  // Stays open until the end: a closed client would cut everything off.
  const upstream = { ...client, close: async () => undefined };
  const model = 'sim-tokens-9-every-2000';
  const asking = ask(model, { streamed: true, signal: left.signal, upstream });
  const seen = () => simulator.current.requestsFor({ model })[0];
  await until(() => seen()?.outcome === 'running');

  left.abort(reason);

  await expect(asking).rejects.toBe(reason);
  await until(() => seen()?.outcome === 'aborted');
  await client.close();
});
