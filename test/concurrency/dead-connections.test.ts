import { once } from 'node:events';
import { supervise } from '../../src/concurrency/supervise.ts';
import { openDatabase } from '../../src/db/connection/database.ts';
import { unnamed } from '../../src/db/sql/statement.ts';
import { createLog } from '../../src/log.ts';
import { openRedis } from '../../src/redis/connection.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { gatewayForTests, startGateway } from '../support/gateway.ts';
import { as, expectOk, givenIn } from '../support/given.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests({ worker: false });
const log = createLog('silent', 'test');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function openProxy(url: string) {
  const proxy = await startFreezingProxy(new URL(url));
  closing.push(() => proxy.close());
  return proxy;
}

async function openRedisBehindProxy() {
  const proxy = await openProxy(services.redisUrl);
  const redis = openRedis(proxy.url, log);
  closing.push(() => redis.close());
  for (const one of [redis.commands, redis.subscriber]) if (one.status !== 'ready') await once(one, 'ready');
  return { proxy, redis };
}

test('a Redis connection for commands that falls silent is replaced within 10 s, and is not responsive until then', async () => {
  const { proxy, redis } = await openRedisBehindProxy();
  const silenced = proxy.freezeConnectionThatSends('a-silent-key');

  await expect(redis.commands.get('a-silent-key')).rejects.toThrow();
  await silenced;
  await until(() => !redis.isResponsive());

  await until(
    () =>
      redis.commands.get('another-key').then(
        () => true,
        () => false,
      ),
    Boolean,
    10_000,
  );
  await until(() => redis.isResponsive());
}, 30_000);

test('a Redis connection for subscriptions that falls silent is replaced within 10 s, with its subscriptions', async () => {
  const { proxy, redis } = await openRedisBehindProxy();
  const pubsub = createPubSub(redis);
  let received = 0;
  await pubsub.subscribe('kept', () => {
    received += 1;
  });

  const silenced = proxy.freezeConnectionThatSends('a-silent-channel');
  await expect(pubsub.subscribe('a-silent-channel', () => undefined)).rejects.toThrow();
  await silenced;

  await until(
    async () => {
      await redis.commands.publish('kept', 'x').catch(() => undefined);
      return received > 0;
    },
    Boolean,
    10_000,
  );
}, 30_000);

test('a Redis connection that answers and whose subscriptions were lost on the way is replaced within 10 s, and is not responsive until then', async () => {
  const { redis } = await openRedisBehindProxy();
  const pubsub = createPubSub(redis);
  let received = 0;
  await pubsub.subscribe('forgotten', () => {
    received += 1;
  });

  await redis.subscriber.unsubscribe();
  expect(await redis.subscriber.ping()).toBe('PONG');
  await until(() => !redis.isResponsive(), Boolean, 10_000);

  await until(
    async () => {
      await redis.commands.publish('forgotten', 'x').catch(() => undefined);
      return received > 0;
    },
    Boolean,
    10_000,
  );
  await until(() => redis.isResponsive(), Boolean, 10_000);
}, 40_000);

test('a PostgreSQL connection that falls silent fails its query as unavailable within 10 s, while others go on and a lock is waited for', async () => {
  const proxy = await openProxy(gateway.current.databaseUrl);
  const database = await openDatabase({ url: proxy.url, poolSize: 3, stallTimeoutMs: 2_000 });
  closing.push(() => database.close());
  const query = (text: string) => database.query(unnamed(text));
  const waiting = query('select pg_sleep(12)');
  const others = setInterval(() => query('select 1').catch(() => undefined), 200);
  closing.push(() => clearInterval(others));

  const silenced = proxy.freezeConnectionThatSends('a silent query');
  const startedAt = Date.now();
  await expect(query(`select 'a silent query'`)).rejects.toThrow('database is unavailable');
  await silenced;

  expect(Date.now() - startedAt).toBeLessThan(10_000);
  expect(await waiting).toHaveLength(1);
}, 40_000);

test('a Temporal connection of an api that falls silent is replaced within 10 s', async () => {
  const proxy = await openProxy(`http://${services.temporalAddress}`);
  const own = await startGateway({ settings: { TEMPORAL_ADDRESS: new URL(proxy.url).host }, worker: false });
  closing.push(() => own.close());
  const { temporal } = own.deps;
  await until(() => temporal.isReachable(1_000));

  proxy.freezeOpenConnections();
  await until(() => temporal.isReachable(1_000).then((is) => !is));

  await until(() => temporal.isReachable(1_000), Boolean, 10_000);
}, 60_000);

test('a connection whose server accepts no other connection is kept', async () => {
  let replacements = 0;
  const supervision = supervise(
    {
      name: 'test',
      check: () => Promise.reject(new Error('silent')),
      async replace() {
        replacements += 1;
        throw new Error('refused');
      },
    },
    log,
  );
  closing.push(() => supervision.close());

  await until(() => replacements > 0, Boolean, 10_000);

  expect(supervision.isResponsive()).toBe(false);
}, 20_000);

test('a gateway whose worker loses its connection to Temporal silently makes calls again', async () => {
  const proxy = await openProxy(`http://${services.temporalAddress}`);
  const own = await startGateway({ settings: { TEMPORAL_ADDRESS: new URL(proxy.url).host } });
  closing.push(() => own.close());
  const team = await givenIn({ current: own }).team();
  expectOk(await as({ current: own }, team).single());

  proxy.freezeOpenConnections();

  await until(async () => (await as({ current: own }, team).single()).status === 200, Boolean, 60_000);
}, 120_000);
