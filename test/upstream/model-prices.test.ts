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

test.each(['', '/', '/v1', '/v1/'])('prices are read from /model/info of a base URL that ends in "%s"', async (end) => {
  const { priceOf, close } = pricesOf(`${simulator.url}${end}`);

  expect(await priceOf('gpt-4o-mini')).toMatchObject({ inputPerMillion: '0.15', outputPerMillion: '0.6' });
  expect(await priceOf('unknown')).toBeUndefined();
  await close();
});

test.each([[[0, 1]], [[1, 0]]])(
  'a deployment without a price does not replace one of the same name that has a price (order %j)',
  async (order) => {
    const entries = [
      { model_name: 'twice', model_info: { input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 } },
      { model_name: 'twice', model_info: { input_cost_per_token: null, output_cost_per_token: null } },
    ];
    raw.answer = (response) => response.end(JSON.stringify({ data: order.map((index) => entries[index]) }));
    const { priceOf, close } = pricesOf(raw.url);

    expect(await priceOf('twice')).toMatchObject({ inputPerMillion: '2.5', outputPerMillion: '10' });
    await close();
  },
);

test('many concurrent calls request the price list once', async () => {
  simulator.current.clearRequests();
  const { priceOf, close } = pricesOf(simulator.url);

  await Promise.all(Array.from({ length: 20 }, () => priceOf('gpt-4o')));

  expect(simulator.current.requestsFor({ path: '/model/info' })).toHaveLength(1);
  await close();
});

test.each([
  ['refuses', '{"detail":"Not Found"}', 404],
  ['sends HTML', '<html>', 200],
  ['sends other JSON', '{"data":{"gpt-4o":1}}', 200],
])('an upstream that %s has no prices', async (_, text, status) => {
  raw.answer = (response) => response.writeHead(status).end(text);
  const { priceOf, close } = pricesOf(raw.url);

  expect(await priceOf('gpt-4o')).toBeUndefined();
  await close();
});

test('invalid prices are null and do not affect others', async () => {
  const model = (model_name: string, input_cost_per_token: unknown) => ({
    model_name,
    model_info: { input_cost_per_token, output_cost_per_token: 1e-6 },
  });
  const data = [model('free', 0), model('odd', 'cheap'), model('negative', -1), { model_name: 'bare' }];
  raw.answer = (response) => response.writeHead(200).end(JSON.stringify({ data }));
  const { priceOf, close } = pricesOf(raw.url);

  expect(await priceOf('free')).toMatchObject({ inputPerMillion: '0', outputPerMillion: '1' });
  expect(await priceOf('odd')).toMatchObject({ inputPerMillion: null, outputPerMillion: '1' });
  expect(await priceOf('negative')).toMatchObject({ inputPerMillion: null, outputPerMillion: '1' });
  expect(await priceOf('bare')).toMatchObject({ inputPerMillion: null, outputPerMillion: null });
  await close();
});

test('the prices of cached and of written tokens are read from the list (spec 30.9)', async () => {
  const model_info = {
    ...{ input_cost_per_token: 3e-6, output_cost_per_token: 15e-6 },
    ...{ cache_read_input_token_cost: 3e-7, cache_creation_input_token_cost: 3.75e-6 },
  };
  raw.answer = (response) => response.end(JSON.stringify({ data: [{ model_name: 'cached', model_info }] }));
  const { priceOf, close } = pricesOf(raw.url);

  expect(await priceOf('cached')).toEqual({
    ...{ inputPerMillion: '3', outputPerMillion: '15', cachedInputPerMillion: '0.3', cacheWritePerMillion: '3.75' },
  });
  await close();
});

const listOf = (input_cost_per_token: number) =>
  JSON.stringify({ data: [{ model_name: 'gpt-4o', model_info: { input_cost_per_token } }] });

/** Answers all further requests with this, and counts them. */
function answerWith(status: number, text: string) {
  const requests = { count: 0 };
  raw.answer = (response) => {
    requests.count += 1;
    response.writeHead(status).end(text);
  };
  return requests;
}

test.each([
  ['an error', 503, '{"detail":"Starting"}'],
  ['too many requests', 429, '{"detail":"Slow down"}'],
  ['half a list', 200, listOf(1e-6).slice(0, 20)],
])('after %s the price list is requested again five seconds later', async (_, status, text) => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const failed = answerWith(status, text);
  await priceOf('gpt-4o');
  now = 4_999;
  await priceOf('gpt-4o');
  expect(failed.count).toBe(1);

  answerWith(200, listOf(1e-6));
  now = 5_000;
  expect(await priceOf('gpt-4o')).toMatchObject({ inputPerMillion: '1' });
  await close();
});

test('a price list that does not exist is requested again after five minutes', async () => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const absent = answerWith(404, '{"detail":"Not Found"}');
  await priceOf('gpt-4o');
  now = 299_999;
  await priceOf('gpt-4o');
  expect(absent.count).toBe(1);

  now = 300_000;
  await priceOf('gpt-4o');
  expect(absent.count).toBe(2);
  await close();
});

test('a model that was added after the last price list gets its price from the next price list', async () => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const requests = answerWith(200, '{"data":[]}');
  await priceOf('gpt-4o');
  now = 4_999;
  await priceOf('gpt-4o');
  expect(requests.count).toBe(1);

  answerWith(200, listOf(1e-6));
  now = 5_000;
  expect(await priceOf('gpt-4o')).toMatchObject({ inputPerMillion: '1' });
  await close();
});

test('the old price list is used until there is a new one', async () => {
  let now = 0;
  const { priceOf, close } = pricesOf(raw.url, () => now);
  const inputPrice = async () => (await priceOf('gpt-4o'))?.inputPerMillion;
  answerWith(200, listOf(1e-6));
  expect(await inputPrice()).toBe('1');

  const failed = answerWith(503, '{"detail":"Restarting"}');
  now = 300_000;
  expect(await inputPrice()).toBe('1');
  await until(() => failed.count === 1);
  answerWith(200, listOf(2e-6));
  await until(async () => {
    now += 5_000;
    return (await inputPrice()) === '2';
  });
  await close();
});

test('a price list that does not arrive delays the first call by two seconds, and does not delay the next call', async () => {
  raw.answer = () => undefined;
  const { priceOf, close } = pricesOf(raw.url);
  expect(await priceOf('gpt-4o')).toBeUndefined();

  const startedAt = performance.now();
  expect(await priceOf('gpt-4o')).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  await close();
}, 8_000);
