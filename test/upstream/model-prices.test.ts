import { createLog } from '../../src/log.ts';
import { createUpstreamClient } from '../../src/upstream/client.ts';
import { createModelPrices } from '../../src/upstream/model-prices.ts';
import { simulatorForTests } from '../simulator/ask.ts';
import { rawUpstreamForTests } from './raw-upstream.ts';

const simulator = simulatorForTests({ masterKey: 'sk-simulator-master' });
const raw = rawUpstreamForTests();

function pricesOf(baseUrl: string, masterKey = 'sk-simulator-master') {
  const client = createUpstreamClient({ baseUrl, timeoutMs: 2_000 });
  return { priceOf: createModelPrices(client, masterKey, createLog('silent', 'test')), close: () => client.close() };
}

test.each(['', '/', '/v1', '/v1/'])('prices come from /model/info, with a base URL that ends in "%s"', async (end) => {
  const { priceOf, close } = pricesOf(`${simulator.url}${end}`);

  expect(await priceOf('gpt-4o-mini')).toEqual({ inputPerMillion: '0.15', outputPerMillion: '0.6' });
  expect(await priceOf('never heard of')).toBeUndefined();
  await close();
});

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

test('a list that does not come holds up a call for two seconds, not for ever', async () => {
  raw.answer = () => undefined;
  const { priceOf, close } = pricesOf(raw.url);

  expect(await priceOf('gpt-4o')).toBeUndefined();
  await close();
}, 4_000);
