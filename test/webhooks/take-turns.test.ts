import { createTurns } from '../../src/webhooks/take-turns.ts';

const turns = () => createTurns({ atOneWebhook: 3, atOneFailing: 1, inAll: 5 });

test('a webhook has its own turns, and takes none of another', () => {
  const { take } = turns();

  const first = [take('a', false), take('a', false), take('a', false)];

  expect(first).not.toContain(undefined);
  expect(take('a', false)).toBeUndefined();
  expect(take('b', false)).toBeDefined();
});

test('one that fails has fewer', () => {
  const { take } = turns();

  expect(take('a', true)).toBeDefined();
  expect(take('a', true)).toBeUndefined();
  expect(take('a', false)).toBeDefined();
});

test('all of them together leave room for the calls', () => {
  const { take } = turns();

  const taken = ['a', 'b', 'c', 'd', 'e'].map((webhook) => take(webhook, false));

  expect(taken).not.toContain(undefined);
  expect(take('f', false)).toBeUndefined();
});

test('a turn that has ended can be taken again', () => {
  const { take } = turns();
  const endTurn = take('a', true);

  endTurn?.();

  expect(take('a', true)).toBeDefined();
});
