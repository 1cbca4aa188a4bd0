import { randomUUID } from 'node:crypto';
import { setTimeout as pause, setImmediate as turnEnds } from 'node:timers/promises';
import { channel } from '../../src/domain/ids.ts';
import { createMetrics } from '../../src/metrics/metrics.ts';
import { createCompletionBatching, createSignalNotices } from '../../src/redis/completion-batching.ts';
import { createPubSub } from '../../src/redis/pubsub.ts';
import { createWorkflowBroadcasts } from '../../src/redis/workflow-broadcasts.ts';
import { closedAfterEach, openReadyRedis } from '../support/redis-for-tests.ts';
import { until } from '../support/until.ts';

const closing = closedAfterEach();

/** Longer than a test may take: what ends was ended. */
const long = 600_000;
const slow = { timeoutMs: long, tooFrequentMs: 0, fixedWaitMs: long };
const never = new AbortController().signal;
const ended = Promise.resolve();

/** Once it receives what is published. */
async function openWorker(times: Partial<typeof slow> = {}) {
  const redis = await openReadyRedis(closing);
  const { commands } = redis;
  const metrics = createMetrics();
  const worker = createCompletionBatching(createPubSub(redis), metrics, { ...slow, ...times });
  const first = randomUUID();
  const received = createWorkflowBroadcasts(createPubSub(redis), channel.completionWaiters).subscribe(first);
  await until(async () => {
    await commands.publish(channel.completionWaiters, first);
    return received.signal.aborted;
  });
  received.unsubscribe();
  const heldByReason = async () => {
    const { values } = await metrics.completionsHeld.get();
    return Object.fromEntries(values.map(({ labels, value }) => [labels.ended_by, value]));
  };
  return { ...worker, heldByReason };
}

const openApi = async (times = slow) => createSignalNotices((await openReadyRedis(closing)).commands, times);

/** Resolves when all that was published before has been received. */
async function untilReceived(api: Awaited<ReturnType<typeof openApi>>, worker: Awaited<ReturnType<typeof openWorker>>) {
  const last = randomUUID();
  const held = worker.hold(last, ended, never);
  api.notify(last, true);
  await held;
  await turnEnds();
}

test('a completion is held until its client sends the next signal after the answer, and the signal ends no other completion', async () => {
  const [api, worker] = [await openApi(), await openWorker()];
  const [one, another] = [randomUUID(), randomUUID()];
  const over: string[] = [];
  const holds = [one, another].map(async (id) => {
    await worker.hold(id, ended, never);
    over.push(id);
  });

  for (const id of [one, another]) api.onResultDelivered(id);
  api.notify(one, false);
  await holds[0];
  await untilReceived(api, worker);

  expect(over).toEqual([one]);
  api.notify(another, false);
  await holds[1];
  expect(await worker.heldByReason()).toEqual({ signal: 2, waiter: 1 });
});

test('no notice is published of a workflow none of whose calls was answered recently', async () => {
  const [api, worker] = [await openApi({ ...slow, timeoutMs: 10 }), await openWorker()];
  const [neverAnswered, expired] = [randomUUID(), randomUUID()];
  const over: string[] = [];
  const holds = [neverAnswered, expired].map(async (id) => {
    await worker.hold(id, ended, never);
    over.push(id);
  });

  api.onResultDelivered(expired);
  await pause(50);
  for (const id of [neverAnswered, expired]) api.notify(id, false);
  await untilReceived(api, worker);

  expect(over).toEqual([]);
  for (const id of [neverAnswered, expired]) api.notify(id, true);
  await Promise.all(holds);
});

test('the time within which a signal causes a notice counts from the last answer', async () => {
  const [api, worker] = [await openApi({ ...slow, timeoutMs: 2_000 }), await openWorker()];
  const id = randomUUID();
  const held = worker.hold(id, ended, never);

  api.onResultDelivered(id);
  await pause(1_500);
  api.onResultDelivered(id);
  await pause(1_000);
  api.notify(id, false);

  await held;
});

test('a completion that a request has waited for since the call ran is not held, and a completion after an earlier notice is held', async () => {
  const [api, worker] = [await openApi(), await openWorker()];
  const [awaited, other] = [randomUUID(), randomUUID()];
  const running = Promise.withResolvers<void>();
  const [heldAwaited, heldOther] = [awaited, other].map((id) => worker.hold(id, running.promise, never));

  api.onResultDelivered(other);
  api.notify(other, false);
  api.notify(awaited, true);
  await untilReceived(api, worker);
  const completed: string[] = [];
  const otherCompletes = heldOther!.then(() => completed.push('other'));
  running.resolve();
  await heldAwaited;
  await turnEnds();

  expect(completed).toEqual([]);
  api.notify(other, false);
  await otherCompletes;
});

test('a completion is held no longer than the timeout when no signal comes', async () => {
  const worker = await openWorker({ timeoutMs: 10 });

  await worker.hold(randomUUID(), ended, never);

  expect(await worker.heldByReason()).toEqual({ timeout: 1 });
});

test('a completion is not held once its attempt is stopped, before the hold or during it', async () => {
  const worker = await openWorker();
  const stop = new AbortController();
  const stopped = worker.hold(randomUUID(), ended, stop.signal);
  await turnEnds();

  stop.abort();

  await stopped;
  await worker.hold(randomUUID(), ended, stop.signal);
  expect(await worker.heldByReason()).toEqual({ abort: 1 });
});

test('a completion is held for a short fixed time where calls begin so close to each other that notices do not help', async () => {
  const worker = await openWorker({ tooFrequentMs: long / 10, fixedWaitMs: 10 });
  const results = Array.from({ length: 40 }, () => Promise.withResolvers<void>());
  const stop = new AbortController();
  const holds = results.map(({ promise }, index) =>
    worker.hold(randomUUID(), promise, index === 0 ? stop.signal : never),
  );
  let firstIsOver = false;
  const first = holds[0]!.then(() => {
    firstIsOver = true;
  });

  results[0]!.resolve();
  results.at(-1)!.resolve();
  await holds.at(-1);

  expect(firstIsOver).toBe(false);
  stop.abort();
  await first;
  expect(await worker.heldByReason()).toEqual({ fixed_wait: 1, abort: 1 });
});

test('a result that rejects is not held', async () => {
  const worker = await openWorker();

  await expect(worker.hold(randomUUID(), Promise.reject(new Error('superseded')), never)).rejects.toThrow('superseded');

  expect(await worker.heldByReason()).toEqual({});
});
