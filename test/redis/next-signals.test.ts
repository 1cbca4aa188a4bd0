import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { channel } from '../../src/domain/ids.ts';
import { createLog } from '../../src/log.ts';
import { createChannels } from '../../src/redis/channels.ts';
import { createNextSignals } from '../../src/redis/next-signals.ts';
import { openRedis } from '../../src/redis/redis.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Longer than a test may take: what ends was ended. */
const long = 600_000;
const never = new AbortController().signal;

/** As an api or a worker has them, on a connection of its own. */
async function openNextSignals(times: Partial<Parameters<typeof createNextSignals>[2]> = {}) {
  const redis = openRedis(services.redisUrl, createLog('silent', 'test'));
  closing.push(redis.close);
  const { commands, subscriber } = redis;
  await Promise.all([commands, subscriber].map((one) => one.status === 'ready' || once(one, 'ready')));
  const nextSignals = createNextSignals(commands, createChannels(subscriber), {
    patience: long,
    thick: 0,
    blindly: long,
    ...times,
  });
  const isWaitedFor = async (id: string) => Number((await commands.pubsub('NUMSUB', channel.nextSignal(id)))[1]) > 0;
  return { redis, nextSignals, isWaitedFor };
}

test('who waits for the next signal to a workflow hears of it from another process, and of no other', async () => {
  const [api, worker] = [await openNextSignals(), await openNextSignals()];
  const [one, another] = [randomUUID(), randomUUID()];
  const over: string[] = [];
  const waits = [one, another].map((id) => worker.nextSignals.wait(id, never).then(() => over.push(id)));
  for (const id of [one, another]) await until(() => worker.isWaitedFor(id));

  api.nextSignals.announce(one);
  await waits[0];

  expect(over).toEqual([one]);
  api.nextSignals.announce(another);
  await waits[1];
});

test('nobody waits for a signal that does not come', async () => {
  const { nextSignals } = await openNextSignals({ patience: 10 });

  await nextSignals.wait(randomUUID(), never);
});

test('nor when stopped, before it waits or while it does', async () => {
  const { nextSignals, isWaitedFor } = await openNextSignals();
  const stop = new AbortController();
  const id = randomUUID();
  const stopped = nextSignals.wait(id, stop.signal);
  await until(() => isWaitedFor(id));

  stop.abort();

  await stopped;
  await nextSignals.wait(id, stop.signal);
});

test('nor where ends follow each other so fast that announcements do not help', async () => {
  const { nextSignals, isWaitedFor } = await openNextSignals({ thick: long / 10, blindly: 10 });
  const ids = Array.from({ length: 40 }, randomUUID);
  const stop = new AbortController();
  const waits = ids.map((id) => nextSignals.wait(id, stop.signal));

  await waits.at(-1);

  await until(() => isWaitedFor(ids[0]!));
  expect(await isWaitedFor(ids.at(-1)!)).toBe(false);
  stop.abort();
  await Promise.all(waits);
});

test('nor while Redis is away', async () => {
  const { redis, nextSignals } = await openNextSignals();
  await redis.close();

  nextSignals.announce(randomUUID());
  await nextSignals.wait(randomUUID(), never);
});
