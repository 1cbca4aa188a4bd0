import { createTurns } from '../../src/webhooks/delivery-semaphore.ts';

const turns = () => createTurns({ atOneWebhook: 3, atOneFailing: 1, ofOneTeam: 4, inAll: 6 });
const living = (webhookId: string, teamId = webhookId) => ({ webhookId, teamId, failing: false });
const failing = (webhookId: string) => ({ ...living(webhookId), failing: true });

test('a webhook has its own turns, and takes none of another', () => {
  const { take } = turns();

  const first = [take(living('a')), take(living('a')), take(living('a'))];

  expect(first).not.toContain(undefined);
  expect(take(living('a'))).toBeUndefined();
  expect(take(living('b'))).toBeDefined();
});

test('one that fails has fewer', () => {
  const { take } = turns();

  expect(take(failing('a'))).toBeDefined();
  expect(take(failing('a'))).toBeUndefined();
  expect(take(living('a'))).toBeDefined();
});

test('a team has its own turns, however many webhooks it has, and takes none of another', () => {
  const { take } = turns();

  const first = ['a', 'b', 'c', 'd'].map((webhook) => take(living(webhook, 'team')));

  expect(first).not.toContain(undefined);
  expect(take(living('e', 'team'))).toBeUndefined();
  expect(take(living('f', 'other'))).toBeDefined();
});

test('all of them together leave room for the calls', () => {
  const { take } = turns();

  const taken = ['a', 'b', 'c', 'd', 'e', 'f'].map((webhook) => take(living(webhook)));

  expect(taken).not.toContain(undefined);
  expect(take(living('g'))).toBeUndefined();
});

test('a turn that has ended can be taken again', () => {
  const { take } = turns();
  const endTurn = take(failing('a'));

  endTurn?.();

  expect(take(failing('a'))).toBeDefined();
});
