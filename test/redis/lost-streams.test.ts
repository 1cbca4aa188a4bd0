import { randomUUID } from 'node:crypto';
import { createLostStreams } from '../../src/redis/lost-streams.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

/** An api process, with its own connections. */
async function openProcess() {
  const redis = await openReadyRedis(closing);
  return { redis, ...createLostStreams(redis.commands, createPubSub(redis)) };
}

const newStream = () => ({ fingerprint: randomUUID(), ids: { callId: randomUUID(), jobId: randomUUID() } });

async function readingBy(
  process: Awaited<ReturnType<typeof openProcess>>,
  { fingerprint, ids }: ReturnType<typeof newStream>,
) {
  const stream = process.read(fingerprint, ids);
  await until(
    async () => Number((await process.redis.commands.pubsub('NUMSUB', `call:${ids.callId}:reader`))[1]) === 1,
  );
  return stream;
}

test('a stream whose reader was lost is taken up once, and again when the next reader is lost too (spec 27.9)', async () => {
  const [first, second] = [await openProcess(), await openProcess()];
  const stream = newStream();
  const read = await readingBy(first, stream);

  expect(await second.take(stream.fingerprint)).toBeUndefined();
  read.lose();
  const taken = await Promise.all([1, 2, 3].map(() => second.take(stream.fingerprint)));
  expect(taken.filter((ids) => ids !== undefined)).toEqual([stream.ids]);

  const again = await readingBy(second, stream);
  again.lose();
  expect(await until(async () => (await first.take(stream.fingerprint)) ?? false, Boolean, 10_000)).toEqual(stream.ids);
});

test('a stream that was delivered to its last event is not taken up (spec 27.9)', async () => {
  const process = await openProcess();
  const stream = newStream();
  const read = await readingBy(process, stream);

  read.deliver();
  read.lose();

  await until(async () => (await process.redis.commands.exists(`stream:${stream.fingerprint}`)) === 0);
  expect(await process.take(stream.fingerprint)).toBeUndefined();
});

test('a stream is taken up when the process of its reader has died (spec 27.9)', async () => {
  const [first, second] = [await openProcess(), await openProcess()];
  const stream = newStream();
  await readingBy(first, stream);

  first.redis.subscriber.disconnect();

  expect(await second.take(stream.fingerprint)).toEqual(stream.ids);
});

test('a request without an equal one before it, and one without Redis, take no stream up (spec 27.9)', async () => {
  const process = await openProcess();
  const stream = newStream();

  expect(await process.take(stream.fingerprint)).toBeUndefined();
  process.read(stream.fingerprint, stream.ids).lose();
  process.redis.commands.disconnect();
  expect(await process.take(stream.fingerprint)).toBeUndefined();
});
