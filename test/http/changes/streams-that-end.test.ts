import { startFreezingProxy } from '../../support/freezing-proxy.ts';
import { type Gateway, startGateway } from '../../support/gateway.ts';
import { services } from '../../support/services.ts';
import { until } from '../../support/until.ts';
import { readEvents } from './event-reader.ts';

let gateway: Gateway | undefined;
afterEach(() => gateway?.close());

const bearer = ({ masterKey }: Gateway) => ({ authorization: `Bearer ${masterKey}` });

/** A stream, as soon as the api has one: on a busy machine Redis may count as away for a moment. */
async function openStream(one: Gateway, headers: Record<string, string> = {}) {
  const reader = await until(
    () => readEvents(one.url, { ...bearer(one), ...headers }),
    ({ response }) => response.status === 200,
  );
  return { ...reader, ready: await reader.event('ready') };
}

test('streams end when the process drains, and new ones are a 503 (spec 19.15)', async () => {
  gateway = await startGateway({ worker: false });
  const reader = await openStream(gateway);

  gateway.deps.drain.begin();
  await reader.ended;

  expect(reader.events.map(({ name }) => name)).toEqual(['ready']);
  expect((await readEvents(gateway.url, bearer(gateway))).response.status).toBe(503);
});

test('a stream sends resync after its connection to Redis was lost for a moment (spec 19.14)', async () => {
  gateway = await startGateway({ worker: false });
  const reader = await openStream(gateway);

  gateway.deps.redis.subscriber.disconnect(true);

  expect((await reader.event('resync')).data).toEqual({});
  await reader.leave();
});

test('streams end while Redis is away, new ones are answered 503, and one that reconnects afterwards receives resync (spec 19.15)', async () => {
  const proxy = await startFreezingProxy(new URL(services.redisUrl));
  gateway = await startGateway({ worker: false, settings: { REDIS_URL: proxy.url } });
  const { url, deps } = gateway;
  const reader = await openStream(gateway);

  proxy.freeze();
  await reader.ended;
  const meanwhile = await readEvents(url, bearer(gateway));
  proxy.thaw();
  await until(() => deps.redisHealth.isUp());
  const after = await openStream(gateway, { 'last-event-id': reader.ready.id! });

  expect(meanwhile.response.status).toBe(503);
  await until(() => after.events.some(({ name }) => name === 'resync'));
  await after.leave();
  await gateway.close();
  gateway = undefined;
  await proxy.close();
}, 60_000);
