import { tryModels } from '../../activities/call-upstream/try-models.ts';
import type { Delta } from '../../src/domain/chat-message.ts';
import { createUpstreamClient, type UpstreamClient } from '../../src/upstream/client.ts';
import { simulatorForTests } from '../simulator/client.ts';
import { until } from '../support/until.ts';

const simulator = simulatorForTests();
let upstream: UpstreamClient;
beforeAll(() => {
  upstream = createUpstreamClient({ baseUrl: simulator.url, timeoutMs: 2_000 });
});
afterAll(() => upstream.close());

const withoutPrice = { inputPerMillion: null, outputPerMillion: null };

async function ask(models: string[], options: Partial<Parameters<typeof tryModels>[0]> = {}) {
  const deltas: Delta[] = [];
  const outcome = await tryModels({
    upstream,
    modelPrice: async () => undefined,
    candidates: models.map((model) => ({ model, ...withoutPrice })),
    request: { messages: [{ role: 'user', content: 'Tell me about rivers' }] },
    streamed: false,
    key: 'sk-of-the-team',
    timeoutMs: 300,
    signal: new AbortController().signal,
    onDelta: async (delta) => {
      deltas.push(delta);
    },
    ...options,
  });
  return { ...outcome, deltas, tried: outcome.attempts.map(({ model }) => model) };
}

/** `spec 4.2` */
test.each(['reset', 'hang', 'fail-408', 'fail-409', 'fail-429', 'fail-500', 'fail-503', 'half-json-0', 'wrong-type'])(
  'after %s the next model is tried, whole and streamed',
  async (word) => {
    for (const streamed of [false, true]) {
      const { error, attempts, answer } = await ask([`sim-${word}`, 'sim-tokens-4'], { streamed });

      expect(error).toBeNull();
      expect(answer.usage.completionTokens).toBe(4);
      expect(attempts).toMatchObject([
        { model: `sim-${word}`, outcome: 'failed', error: expect.any(String), prompt_tokens: 0 },
        { model: 'sim-tokens-4', outcome: 'succeeded', error: null, completion_tokens: 4 },
      ]);
    }
  },
);

test.each([400, 401, 403, 404, 413, 422])('after %i none is', async (status) => {
  const { error, tried } = await ask([`sim-fail-${status}`, 'sim-ok']);

  expect(error).toMatch(/the upstream/);
  expect(tried).toEqual([`sim-fail-${status}`]);
});

test('in order, each once, until one answers', async () => {
  const { error, tried } = await ask(['sim-fail-500', 'sim-reset', 'sim-fail-429', 'sim-ok', 'sim-fast']);

  expect(error).toBeNull();
  expect(tried).toEqual(['sim-fail-500', 'sim-reset', 'sim-fail-429', 'sim-ok']);
});

test('when all fail, the last one says why', async () => {
  const { error, tried } = await ask(['sim-fail-500', 'sim-fail-429']);

  expect(error).toBe('the upstream is rate limited');
  expect(tried).toHaveLength(2);
});

test.each(['stream-cut-2', 'stream-stall-2', 'error-in-stream-2', 'half-json-2', 'no-finish-tokens-2'])(
  'after the first token none is tried: %s',
  async (word) => {
    const { error, tried, deltas } = await ask([`sim-${word}-every-5`, 'sim-ok'], { streamed: true });

    expect(error).toMatch(/^the upstream/);
    expect(tried).toHaveLength(1);
    expect(deltas).toHaveLength(2);
  },
);

test('an answer that comes in drops has no more time than any other', async () => {
  const { error, attempts } = await ask(['sim-tokens-60-every-50'], { streamed: true });

  expect(error).toBe('the upstream timed out');
  expect(attempts).toMatchObject([{ outcome: 'failed' }]);
});

test('before it, the same failures let the next model answer', async () => {
  const words = ['stream-cut-0', 'stream-stall-0', 'error-in-stream-0', 'half-json-0'];

  const { error, tried } = await ask([...words.map((word) => `sim-${word}`), 'sim-ok'], { streamed: true });

  expect(error).toBeNull();
  expect(tried).toHaveLength(5);
});

/** `spec 4.5`: the upstream's figure, the price of the member, the price list, nothing. */
test.each([
  ['the upstream says it', 'sim-cost-1500', '1', '3', '0.0015'],
  ['the member has a price', 'sim-no-cost-prompt-tokens-10-tokens-5', '1', '3', '0.00002'],
  ['the price list has one', 'sim-no-cost-prompt-tokens-10-tokens-5', null, '3', '0.000045'],
  ['nobody knows', 'sim-no-cost-prompt-tokens-10-tokens-5', null, null, '0'],
])('the cost where %s', async (_, model, ofMember, ofList, cost) => {
  const { attempts } = await ask([model], {
    candidates: [{ model, inputPerMillion: ofMember, outputPerMillion: ofMember && '2' }],
    modelPrice: async () => (ofList ? { inputPerMillion: ofList, outputPerMillion: ofList } : undefined),
  });

  expect(attempts).toMatchObject([{ cost_usd: cost }]);
});

test('what a failed attempt has cost, if the upstream said so, is kept', async () => {
  const { attempts } = await ask(['sim-half-json-cost-1500', 'sim-fail-500', 'sim-cost-100']);

  expect(attempts.map(({ cost_usd }) => cost_usd)).toEqual(['0.0015', '0', '0.0001']);
});

test('a call that is cancelled tries no other model, and is aborted upstream', async () => {
  const model = 'sim-hang-as-cancelled';
  const left = new AbortController();
  const asking = ask([model, 'sim-ok'], { signal: left.signal, timeoutMs: 5_000 });
  await until(() => simulator.current.requestsFor({ model }).length === 1);

  left.abort();

  expect(await asking).toMatchObject({ error: 'cancelled', attempts: [{ model, outcome: 'cancelled' }] });
  await until(() => simulator.current.requestsFor({ model })[0]?.aborted === true);
});

test('the key and the request go upstream as they were given', async () => {
  simulator.current.clearRequests();

  await ask(['sim-ok'], { request: { messages: [{ role: 'user', content: 'hi' }], temperature: 0.2 }, streamed: true });

  expect(simulator.current.requests).toMatchObject([
    {
      key: 'sk-of-the-team',
      body: {
        model: 'sim-ok',
        messages: [{ role: 'user', content: 'hi' }],
        temperature: 0.2,
        stream: true,
        stream_options: { include_usage: true },
      },
    },
  ]);
});
