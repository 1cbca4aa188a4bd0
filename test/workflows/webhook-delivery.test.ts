import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import type { Activities } from '../../workflows/contract/activities.ts';
import { attemptNow } from '../../workflows/contract/messages.ts';
import type { DeliveryWorkflow } from '../../workflows/contract/workflows.ts';
import { until } from '../support/until.ts';
import { startWorker } from './start-worker.ts';

type Attempt = Parameters<Activities['deliverWebhook']>[0];
type Outcome = Awaited<ReturnType<Activities['deliverWebhook']>>['status'];

/** The outcomes of the attempts at a delivery, in turn; the last one from then on. */
const scripts = new Map<string, Outcome[]>();
/** Runs during the first attempt at a delivery. */
const duringFirst = new Map<string, () => Promise<void>>();
const attempts: Attempt[] = [];
const attemptsAt = (deliveryId: string) => attempts.filter(({ delivery_id }) => delivery_id === deliveryId);

const taskQueue = `deliveries-${randomUUID()}`;
let client: Client;
let close: () => Promise<void>;

beforeAll(async () => {
  const activities: Pick<Activities, 'deliverWebhook'> = {
    async deliverWebhook(attempt) {
      attempts.push(attempt);
      if (attemptsAt(attempt.delivery_id).length === 1) await duringFirst.get(attempt.delivery_id)?.();
      const script = scripts.get(attempt.delivery_id) ?? [];
      return { status: script.length > 1 ? script.shift()! : script[0]! };
    },
  };
  ({ client, close } = await startWorker(taskQueue, activities));
});
afterAll(() => close());

const handleOf = (deliveryId: string) => client.workflow.getHandle(`webhook-${deliveryId}`);

async function start(outcomes: Outcome[], delays_ms: number[], delivery_id: string = randomUUID()) {
  scripts.set(delivery_id, outcomes);
  const handle = await client.workflow.start<DeliveryWorkflow>('webhookDelivery', {
    taskQueue,
    workflowId: `webhook-${delivery_id}`,
    args: [{ delivery_id, delays_ms }],
  });
  return { delivery_id, handle };
}

const hour = 3_600_000;

test('a delivery whose first attempt succeeds makes no other', async () => {
  const { delivery_id, handle } = await start(['delivered'], [0, 1, 1]);

  expect(await handle.result()).toBe('delivered');
  expect(attemptsAt(delivery_id)).toEqual([{ delivery_id, last: false }]);
});

test('a delivery that fails makes an attempt after each delay, and only the last is marked as the last (spec 11.3)', async () => {
  const { delivery_id, handle } = await start(['pending', 'pending', 'exhausted'], [0, 1, 1]);

  expect(await handle.result()).toBe('exhausted');
  expect(attemptsAt(delivery_id).map(({ last }) => last)).toEqual([false, false, true]);
});

test.each(['exhausted', 'gone'] as const)(
  'an attempt with the outcome %s ends its delivery before the end of the schedule',
  async (end) => {
    const { delivery_id, handle } = await start([end], [0, 1, 1]);

    expect(await handle.result()).toBe(end);
    expect(attemptsAt(delivery_id)).toHaveLength(1);
  },
);

test('the delay before an attempt is a timer of Temporal', async () => {
  const { handle } = await start(['pending', 'delivered'], [0, 5_000]);
  const timers = async () =>
    ((await handle.fetchHistory()).events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
      timer ? [timer.startToFireTimeout] : [],
    );

  const [timeout] = await until(timers, (found) => found.length > 0);

  expect(Number(timeout!.seconds)).toBe(5);
  await handle.signal(attemptNow);
  expect(await handle.result()).toBe('delivered');
});

test('a requested attempt is made at once, and the schedule continues after it', async () => {
  const { delivery_id, handle } = await start(['pending', 'pending', 'delivered'], [0, hour, hour]);
  await until(() => attemptsAt(delivery_id).length === 1);

  await handle.signal(attemptNow);
  await until(() => attemptsAt(delivery_id).length === 2);
  await handle.signal(attemptNow);

  expect(await handle.result()).toBe('delivered');
  expect(attemptsAt(delivery_id).map(({ last }) => last)).toEqual([false, false, true]);
});

test('an attempt that is requested during the last one begins the schedule again', async () => {
  const id = randomUUID();
  duringFirst.set(id, () => handleOf(id).signal(attemptNow));

  const { handle } = await start(['exhausted', 'pending', 'delivered'], [0, 1], id);

  expect(await handle.result()).toBe('delivered');
  expect(attemptsAt(id).map(({ last }) => last)).toEqual([false, false, true]);
});

test('a delivery that has ended runs again when an attempt is requested', async () => {
  const { delivery_id, handle } = await start(['delivered'], [0]);
  await handle.result();

  const again = await client.workflow.signalWithStart('webhookDelivery', {
    taskQueue,
    workflowId: `webhook-${delivery_id}`,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [{ delivery_id, delays_ms: [0] }],
    signal: attemptNow,
  });

  expect(await again.result()).toBe('delivered');
  expect(attemptsAt(delivery_id)).toHaveLength(2);
});
