import { createDeliverySemaphore } from '../../src/webhook-delivery/delivery-semaphore.ts';

const semaphore = () => createDeliverySemaphore({ perWebhook: 3, perFailingWebhook: 1, perTeam: 4, total: 6 });
const healthy = (webhookId: string, teamId = webhookId) => ({ webhookId, teamId, failing: false });
const failing = (webhookId: string) => ({ ...healthy(webhookId), failing: true });

test('a webhook at its limit of concurrent attempts is refused more, and other webhooks are not', () => {
  const { tryAcquire } = semaphore();

  const first = [tryAcquire(healthy('a')), tryAcquire(healthy('a')), tryAcquire(healthy('a'))];

  expect(first).not.toContain(undefined);
  expect(tryAcquire(healthy('a'))).toBeUndefined();
  expect(tryAcquire(healthy('b'))).toBeDefined();
});

test('a webhook whose last attempt failed has a lower limit of concurrent attempts', () => {
  const { tryAcquire } = semaphore();

  expect(tryAcquire(failing('a'))).toBeDefined();
  expect(tryAcquire(failing('a'))).toBeUndefined();
  expect(tryAcquire(healthy('a'))).toBeDefined();
});

test('a team at its limit of concurrent attempts is refused more at any of its webhooks, and other teams are not', () => {
  const { tryAcquire } = semaphore();

  const first = ['a', 'b', 'c', 'd'].map((webhook) => tryAcquire(healthy(webhook, 'team')));

  expect(first).not.toContain(undefined);
  expect(tryAcquire(healthy('e', 'team'))).toBeUndefined();
  expect(tryAcquire(healthy('f', 'other'))).toBeDefined();
});

test('attempts for all teams together are limited by the total', () => {
  const { tryAcquire } = semaphore();

  const acquired = ['a', 'b', 'c', 'd', 'e', 'f'].map((webhook) => tryAcquire(healthy(webhook)));

  expect(acquired).not.toContain(undefined);
  expect(tryAcquire(healthy('g'))).toBeUndefined();
});

test('a place that was released can be acquired again', () => {
  const { tryAcquire } = semaphore();
  const release = tryAcquire(failing('a'));

  release?.();

  expect(tryAcquire(failing('a'))).toBeDefined();
});
