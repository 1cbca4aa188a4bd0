import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { services } from '../support/services.ts';
import { untilRequested } from '../support/until-requested.ts';

async function gatewayBehindProxies() {
  const closing = new AsyncDisposableStack();
  const temporal = await startFreezingProxy(new URL(`http://${services.temporalAddress}`));
  const redis = await startFreezingProxy(new URL(services.redisUrl));
  const settings = { TEMPORAL_ADDRESS: new URL(temporal.url).host, REDIS_URL: redis.url };
  const current = await startGateway({ settings });
  closing.defer(() => current.close());
  closing.defer(() => redis.close());
  closing.defer(() => temporal.close());
  return { temporal, redis, current, [Symbol.asyncDispose]: () => closing.disposeAsync() };
}

test('requests that need Temporal while it is frozen are answered 503 and not charged, and reads are answered (spec 1.8)', async () => {
  await using gateway = await gatewayBehindProxies();
  const team = await givenIn(gateway).team({ credits: 5 });
  const job = await givenIn(gateway).job(team);

  gateway.temporal.freeze();
  const answers = await Promise.all([
    as(gateway, team).call(job),
    as(gateway, team).stream(job),
    as(gateway, team).complete(job),
    as(gateway, team).single(),
    as(gateway, team).singleStream(),
  ]);

  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
  expect(expectOk(await as(gateway, team).get(`/api/jobs/${job}`)).status).toBe('pending');
  expect(expectOk(await as(gateway, team).get('/api/jobs?status=failed')).total).toBe(2);
  expect(await as(gateway, team).credits()).toMatchObject({ credits_remaining: 5 });
}, 60_000);

test('a single-call job that ends while Temporal and Redis are frozen is answered from its record', async () => {
  await using gateway = await gatewayBehindProxies();
  const model = 'sim-slow-1000-as-both-frozen';
  const team = await givenIn(gateway).team({ credits: 5, models: [model] });

  const answering = as(gateway, team).single();
  await untilRequested(gateway, model);
  gateway.temporal.freeze();
  gateway.redis.freeze();

  expect(expectOk(await answering)).toMatchObject({ status: 'completed', costs: { credits_remaining: 4 } });
}, 60_000);
