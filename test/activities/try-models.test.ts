import { tryModels } from '../../activities/call-upstream/try-models.ts';
import type { Delta } from '../../src/domain/chat-message.ts';
import { createUpstreamClient, type UpstreamClient } from '../../src/upstream/client.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { simulatorForTests } from '../simulator/client.ts';
import { until } from '../support/until.ts';
import { requestSource } from '../upstream/request-source.ts';

const simulator = simulatorForTests();
let upstream: UpstreamClient;
beforeAll(() => {
  upstream = createUpstreamClient({ baseUrl: simulator.url, timeoutMs: 2_000 });
});
afterAll(() => upstream.close());

const withoutPrice = { inputPerMillion: null, outputPerMillion: null };

async function makeCall(models: string[], options: Partial<Parameters<typeof tryModels>[0]> = {}) {
  const deltas: Delta[] = [];
  const outcome = await tryModels({
    upstream,
    callId: '9a64d0f7-21c8-4e3d-b5fa-06e87b13c9d2',
    requestId: null,
    modelPrice: async () => undefined,
    candidates: models.map((model) => ({ model, ...withoutPrice })),
    request: requestSource({ messages: [{ role: 'user', content: 'Tell me about rivers' }] }),
    streamed: false,
    key: 'sk-of-the-team',
    timeoutMs: 300,
    maxMs: 60_000,
    signal: new AbortController().signal,
    onDelta: async (delta) => {
      deltas.push(delta);
    },
    onTried: () => undefined,
    restoreTeam: async () => undefined,
    ...options,
  });
  return { ...outcome, deltas, tried: outcome.attempts.map(({ model }) => model) };
}

/** `spec 4.2` */
test.each(['reset', 'hang', 'fail-408', 'fail-409', 'fail-429', 'fail-500', 'fail-503', 'half-json-0', 'wrong-type'])(
  'a model with the failure %s is followed by the next model, streamed or not (spec 4.2)',
  async (fault) => {
    for (const streamed of [false, true]) {
      const { error, attempts, answer } = await makeCall([`sim-${fault}`, 'sim-tokens-4'], { streamed });

      expect(error).toBeNull();
      expect(answer.usage.completionTokens).toBe(4);
      expect(attempts).toMatchObject([
        { model: `sim-${fault}`, outcome: 'failed', error: expect.any(String), prompt_tokens: 0 },
        { model: 'sim-tokens-4', outcome: 'succeeded', error: null, completion_tokens: 4 },
      ]);
    }
  },
);

test.each([400, 401, 403, 404, 413, 422])(
  'a model with the status %i is not followed by another model (spec 4.2)',
  async (status) => {
    const { error, tried } = await makeCall([`sim-fail-${status}`, 'sim-ok']);

    expect(error).toMatch(/the upstream/);
    expect(tried).toEqual([`sim-fail-${status}`]);
  },
);

test('a model that refuses a field which it need not have is asked once more, and its refusal is an attempt (spec 31.5)', async () => {
  const source = requestSource({ messages: [{ role: 'user', content: 'Tell me about rivers' }] });
  let leftOut = 0;
  const request = {
    open: async (sent: Parameters<typeof source.open>[0]) => ({
      ...(await source.open(sent)),
      leaveOut: () => leftOut++ < 1,
    }),
  };

  const { tried, error } = await makeCall(['sim-fail-400', 'sim-ok'], { request });

  expect(tried).toEqual(['sim-fail-400', 'sim-fail-400']);
  expect(error).toMatch(/rejected/);
});

test('models are tried in order, each once, until one answers (spec 4.2)', async () => {
  const { error, tried } = await makeCall(['sim-fail-500', 'sim-reset', 'sim-fail-429', 'sim-ok', 'sim-fast']);

  expect(error).toBeNull();
  expect(tried).toEqual(['sim-fail-500', 'sim-reset', 'sim-fail-429', 'sim-ok']);
});

test('when all models fail, the error is that of the last model', async () => {
  const { error, tried } = await makeCall(['sim-fail-500', 'sim-fail-429']);

  expect(error).toBe('the upstream is rate limited');
  expect(tried).toHaveLength(2);
});

test.each(['stream-cut-2', 'stream-stall-2', 'error-in-stream-2', 'half-json-2', 'no-finish-tokens-2'])(
  'a stream with the failure %s after its first token is not followed by another model (spec 4.2)',
  async (fault) => {
    const { error, tried, deltas } = await makeCall([`sim-${fault}-every-5`, 'sim-ok'], { streamed: true });

    expect(error).toMatch(/^the upstream/);
    expect(tried).toHaveLength(1);
    expect(deltas).toHaveLength(2);
  },
);

/** `spec 4.9` */
test('a stream whose tokens arrive all the time may take longer than the timeout, which is for each model', async () => {
  const { error, attempts } = await makeCall(['sim-hang', 'sim-tokens-12-every-50'], { streamed: true });

  expect(error).toBeNull();
  expect(attempts).toMatchObject([{ error: 'the upstream timed out' }, { outcome: 'succeeded' }]);
});

test('the maximum is for the whole answer of a model, also when tokens arrive all the time', async () => {
  const { error, attempts } = await makeCall(['sim-tokens-60-every-50'], { streamed: true, maxMs: 400 });

  expect(error).toBe('the upstream timed out');
  expect(attempts).toMatchObject([{ outcome: 'failed' }]);
});

test('before the first token a stream that fails is followed by the next model', async () => {
  const faults = ['stream-cut-0', 'stream-stall-0', 'error-in-stream-0', 'half-json-0'];

  const { error, tried } = await makeCall([...faults.map((fault) => `sim-${fault}`), 'sim-ok'], { streamed: true });

  expect(error).toBeNull();
  expect(tried).toHaveLength(5);
});

/** `spec 4.5`: the upstream's figure, the price of the member, the price list, nothing. */
test.each([
  ['the upstream reports it', 'sim-cost-1500', '1', '3', '0.0015'],
  ['the member has a price', 'sim-no-cost-prompt-tokens-10-tokens-5', '1', '3', '0.00002'],
  ['the price list has one', 'sim-no-cost-prompt-tokens-10-tokens-5', null, '3', '0.000045'],
  ['no price is known', 'sim-no-cost-prompt-tokens-10-tokens-5', null, null, '0'],
])('an attempt has the cost of the first source where %s (spec 4.5)', async (_, model, ofMember, ofList, cost) => {
  const { attempts } = await makeCall([model], {
    candidates: [{ model, inputPerMillion: ofMember, outputPerMillion: ofMember && '2' }],
    modelPrice: async () => (ofList ? { inputPerMillion: ofList, outputPerMillion: ofList } : undefined),
  });

  expect(attempts).toMatchObject([{ cost_usd: cost }]);
});

test('a failed attempt has the cost that the upstream reported', async () => {
  const { attempts } = await makeCall(['sim-half-json-cost-1500', 'sim-fail-500', 'sim-cost-100']);

  expect(attempts.map(({ cost_usd }) => cost_usd)).toEqual(['0.0015', '0', '0.0001']);
});

test('a call that is cancelled aborts its upstream request and tries no other model', async () => {
  const model = 'sim-hang-as-cancelled';
  const cancellation = new AbortController();
  const call = makeCall([model, 'sim-ok'], { signal: cancellation.signal, timeoutMs: 5_000 });
  await until(() => simulator.current.requestsFor({ model }).length === 1);

  cancellation.abort();

  expect(await call).toMatchObject({ error: 'cancelled', attempts: [{ model, outcome: 'cancelled' }] });
  await until(() => simulator.current.requestsFor({ model })[0]?.aborted === true);
});

test('the upstream receives the key and the request unchanged', async () => {
  simulator.current.clearRequests();

  await makeCall(['sim-ok'], {
    request: requestSource({ messages: [{ role: 'user', content: 'hi' }], temperature: 0.2 }),
    streamed: true,
  });

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

test('a model that refuses the team is tried again with the key of the restored team, twice at most (spec 8.10)', async () => {
  const restored: string[] = [];
  const failed: string[] = [];
  const own = await startSimulator({ masterKey: 'sk-master' });
  const client = createUpstreamClient({ baseUrl: own.url, timeoutMs: 20_000 });
  const restoreTeam = (key: string) => async (error: { failure: string }) => {
    restored.push(error.failure);
    return key;
  };
  const options = { upstream: client, onTried: (model: string, error?: Error) => error && failed.push(model) };

  const helped = await makeCall(['sim-ok', 'sim-fast'], { ...options, restoreTeam: restoreTeam('sk-master') });
  const inVain = await makeCall(['sim-ok', 'sim-fast'], { ...options, restoreTeam: restoreTeam('sk-wrong') });
  await client.close();
  await own.close();

  expect(helped.attempts.map(({ model, outcome }) => [model, outcome])).toEqual([
    ['sim-ok', 'failed'],
    ['sim-ok', 'succeeded'],
  ]);
  expect([inVain.tried, inVain.failure]).toEqual([['sim-ok', 'sim-ok', 'sim-ok'], 'misconfigured']);
  expect(restored).toEqual(['misconfigured', 'misconfigured', 'misconfigured']);
  expect(failed).toEqual(['sim-ok', 'sim-ok', 'sim-ok', 'sim-ok']);
});
