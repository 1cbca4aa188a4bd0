import { randomUUID } from 'node:crypto';
import { setTimeout as pause, setImmediate as turnEnds } from 'node:timers/promises';
import { channel } from '../../src/domain/ids.ts';
import { createCompletionBatching, createSignalNotices } from '../../src/redis/completion-batching.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { keepWorkflowBroadcasts } from '../../src/redis/workflow-broadcasts.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

/** Longer than a test may take: what ends was ended. */
const long = 600_000;
const patient = { patienceMs: long, tooFrequentMs: 0, fixedWaitMs: long };
const never = new AbortController().signal;

/** Once it hears. */
async function openWorker(howLong: Partial<typeof patient> = {}) {
  const redis = await openReadyRedis(closing);
  const { commands } = redis;
  const completionBatching = createCompletionBatching(createPubSub(redis), { ...patient, ...howLong });
  const first = randomUUID();
  const heard = keepWorkflowBroadcasts(createPubSub(redis), channel.completionWaiters).hear(first);
  await until(async () => {
    await commands.publish(channel.completionWaiters, first);
    return heard.signal.aborted;
  });
  heard.leave();
  return completionBatching;
}

const openApi = async (howLong = patient) => createSignalNotices((await openReadyRedis(closing)).commands, howLong);

/** Resolves when all that was announced before has been heard. */
async function untilHeard(api: Awaited<ReturnType<typeof openApi>>, worker: Awaited<ReturnType<typeof openWorker>>) {
  const last = randomUUID();
  const heard = worker.expect(last).wait(never);
  api.announce(last, true);
  await heard;
  await turnEnds();
}

test('the end of a call is told with the signal that its client asks for after the answer, and with no other', async () => {
  const [api, worker] = [await openApi(), await openWorker()];
  const [one, another] = [randomUUID(), randomUUID()];
  const over: string[] = [];
  const waits = [one, another].map(async (id) => {
    await worker.expect(id).wait(never);
    over.push(id);
  });

  for (const id of [one, another]) api.answered(id);
  api.announce(one, false);
  await waits[0];
  await untilHeard(api, worker);

  expect(over).toEqual([one]);
  api.announce(another, false);
  await waits[1];
});

test('nothing is announced of a workflow none of whose calls was answered lately', async () => {
  const [api, worker] = [await openApi({ ...patient, patienceMs: 10 }), await openWorker()];
  const [longAgo, lately] = [randomUUID(), randomUUID()];
  const over: string[] = [];
  const waits = [longAgo, lately].map(async (id) => {
    await worker.expect(id).wait(never);
    over.push(id);
  });

  api.answered(lately);
  await pause(50);
  for (const id of [longAgo, lately]) api.announce(id, false);
  await untilHeard(api, worker);

  expect(over).toEqual([]);
  for (const id of [longAgo, lately]) api.announce(id, true);
  await Promise.all(waits);
});

test('lately is since the last answer', async () => {
  const [api, worker] = [await openApi({ ...patient, patienceMs: 2_000 }), await openWorker()];
  const id = randomUUID();
  const told = worker.expect(id).wait(never);

  api.answered(id);
  await pause(1_500);
  api.answered(id);
  await pause(1_000);
  api.announce(id, false);

  await told;
});

test('an end that somebody waits for since the call ran is told at once, one that others only came before is not', async () => {
  const [api, worker] = [await openApi(), await openWorker()];
  const [awaited, other] = [randomUUID(), randomUUID()];
  const [next, nextOfOther] = [awaited, other].map((id) => worker.expect(id));

  api.answered(other);
  api.announce(other, false);
  api.announce(awaited, true);
  await untilHeard(api, worker);
  await next!.wait(never);
  const told: string[] = [];
  const otherWait = nextOfOther!.wait(never).then(() => told.push('other'));
  await turnEnds();

  expect(told).toEqual([]);
  api.announce(other, false);
  await otherWait;
});

test('nobody waits for a signal that does not come', async () => {
  const worker = await openWorker({ patienceMs: 10 });

  await worker.expect(randomUUID()).wait(never);
});

test('nor when stopped, before it waits or while it does', async () => {
  const worker = await openWorker();
  const stop = new AbortController();
  const next = worker.expect(randomUUID());
  const stopped = next.wait(stop.signal);

  stop.abort();

  await stopped;
  await next.wait(stop.signal);
});

test('nor for long where calls begin so close to each other that signalNotices do not help', async () => {
  const worker = await openWorker({ tooFrequentMs: long / 10, fixedWaitMs: 10 });
  const all = Array.from({ length: 40 }, () => worker.expect(randomUUID()));
  let firstIsOver = false;
  const stop = new AbortController();
  const first = all[0]!.wait(stop.signal).then(() => {
    firstIsOver = true;
  });

  await all.at(-1)!.wait(never);

  expect(firstIsOver).toBe(false);
  stop.abort();
  await first;
});
