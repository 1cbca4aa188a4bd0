import { createModelPrices } from '../../src/litellm/model-prices.ts';
import { createLog } from '../../src/log.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { simulatorForTests } from '../simulator/client.ts';
import { until } from '../support/until.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';

const simulator = simulatorForTests({ masterKey: 'sk-simulator-master' });
const raw = rawUpstreamForTests();

function pricesOf(baseUrl: string, now?: () => number) {
  const client = createUpstreamClient({ baseUrl, timeoutMs: 8_000 });
  const priceOf = createModelPrices(client, 'sk-simulator-master', createLog('silent', 'test'), now);
  return { priceOf, close: () => client.close() };
}

test.each(['', '/', '/v1', '/v1/'])('prices come from /model/info, with a base URL that ends in "%s"', async (end) => {
  const { priceOf, close } = pricesOf(`${simulator.url}${end}`);

  expect(await priceOf('gpt-4o-mini')).toEqual({ inputPerMillion: '0.15', outputPerMillion: '0.6' });
  expect(await priceOf('never heard of')).toBeUndefined();
  await close();
});

test.each([[[0, 1]], [[1, 0]]])(
  'a deployment without a price hides none of the same name that has one (%j)',
  async (order) => {
    const entries = [
      { model_name: 'twice', model_info: { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } },
      { model_name: 'twice', model_info: { input_cost_per_token: null, output_cost_per_token: null } },
    ];
    raw.answer = (response) => response.end(JSON.stringify({ data: order.map((index) => entries[index]) }));
    const { priceOf, close } = pricesOf(raw.url);

    expect(await priceOf('twice')).toEqual({ inputPerMillion: '2.5', outputPerMillion: '10' });
    await close();
  },
);

test('the list is asked for once for many calls', async () => {
  simulator.current.clearRequests();
  const { priceOf, close } = pricesOf(simulator.url);

  await Promise.all(Array.from({ length: 20 }, () => priceOf('gpt-4o')));

  expect(simulator.current.requestsFor({ path: '/model/info' })).toHaveLength(1);
  await close();
});

test.each([
  ['refuses', '{"detail":"Not Found"}', 404],
  ['answers with a page', '<html>', 200],
  ['answers with something else', '{"data":{"gpt-4o":1}}', 200],
])('an upstream that %s tells no price', async (_, text, status) => {
  raw.answer = (response) => response.writeHead(status).end(text);
  const { priceOf, close } = pricesOf(raw.url);

  expect(await priceOf('gpt-4o')).toBeUndefined();
  await close();
});

test('odd prices are none, and spoil no other', async () => {
  const model = (model_name: string, input_cost_per_token: unknown) => ({
    model_name,
    model_info: { input_cost_per_token, output_cost_per_token: 1e-6 },
  });
  const data = [model('free', 0), model('odd', 'cheap'), model('negative', -1), { model_name: 'bare' }];
  raw.answer = (response) => response.writeHead(200).end(JSON.stringify({ data }));
  const { priceOf, close } = pricesOf(raw.url);

  expect(await priceOf('free')).toEqual({ inputPerMillion: '0', outputPerMillion: '1' });
  expect(await priceOf('odd')).toEqual({ inputPerMillion: null, outputPerMillion: '1' });
  expect(await priceOf('negative')).toEqual({ inputPerMillion: null, outputPerMillion: '1' });
  expect(await priceOf('bare')).toEqual({ inputPerMillion: null, outputPerMillion: null });
  await close();
});

const listOf = (input_cost_per_token: number) =>
  JSON.stringify({ data: [{ model_name: 'gpt-4o', model_info: { input_cost_per_token } }] });

/** Answers from now on with this, and counts. */
function answerWith(status: number, text: string) {
  const asked = { times: 0 };
  raw.answer = (response) => {
    asked.times += 1;
    response.writeHead(status).end(text);
  };
  return asked;
}

test.each([
  ['an error', 503, '{"detail":"Starting"}'],
  ['too many requests', 429, '{"detail":"Slow down"}'],
  ['half a list', 200, listOf(1e-6).slice(0, 20)],
])('after %s the list is asked for again five seconds later', async (_, status, text) => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const failed = answerWith(status, text);
  await priceOf('gpt-4o');
  now = 4_999;
  await priceOf('gpt-4o');
  expect(failed.times).toBe(1);

  answerWith(200, listOf(1e-6));
  now = 5_000;
  expect(await priceOf('gpt-4o')).toMatchObject({ inputPerMillion: '1' });
  await close();
});

test('a page that does not exist is asked for again after five minutes', async () => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const absent = answerWith(404, '{"detail":"Not Found"}');
  await priceOf('gpt-4o');
  now = 299_999;
  await priceOf('gpt-4o');
  expect(absent.times).toBe(1);

  now = 300_000;
  await priceOf('gpt-4o');
  expect(absent.times).toBe(2);
  await close();
});

test('a model that the upstream has got since the last list has its price', async () => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const asked = answerWith(200, '{"data":[]}');
  await priceOf('gpt-4o');
  now = 4_999;
  await priceOf('gpt-4o');
  expect(asked.times).toBe(1);

  answerWith(200, listOf(1e-6));
  now = 5_000;
  expect(await priceOf('gpt-4o')).toMatchObject({ inputPerMillion: '1' });
  await close();
});

test('an old list serves until there is a new one', async () => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const inputPrice = async () => (await priceOf('gpt-4o'))?.inputPerMillion;
  answerWith(200, listOf(1e-6));
  expect(await inputPrice()).toBe('1');

  const failed = answerWith(503, '{"detail":"Restarting"}');
  now = 300_000;
  expect(await inputPrice()).toBe('1');
  await until(() => failed.times === 1);
  answerWith(200, listOf(2e-6));
  await until(async () => {
    now += 5_000;
    return (await inputPrice()) === '2';
  });
  await close();
});

test('a list that does not come holds up the calls of two seconds, not those after them', async () => {
  raw.answer = () => undefined;
  const { priceOf, close } = pricesOf(raw.url);
  expect(await priceOf('gpt-4o')).toBeUndefined();

  const begun = performance.now();
  expect(await priceOf('gpt-4o')).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(1_000);
  await close();
}, 8_000);
