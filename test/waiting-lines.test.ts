import { setImmediate as turn } from 'node:timers/promises';
import { createWaitingLines } from '../src/waiting-lines.ts';

/** Work that ends when it is told to, and says when it began. */
function givenWork(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    begun.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}

test('as many as may begin, and the others in the order in which they came', async () => {
  const inLine = createWaitingLines(2);
  const begun: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => givenWork(begun, name)) as [
    ReturnType<typeof givenWork>,
    ReturnType<typeof givenWork>,
    ReturnType<typeof givenWork>,
    ReturnType<typeof givenWork>,
  ];
  const all = [a, b, c, d].map(({ work }) => inLine('key', work));
  await turn();
  expect(begun).toEqual(['a', 'b']);

  b.end();
  await turn();
  expect(begun).toEqual(['a', 'b', 'c']);

  for (const one of [a, c, d]) one.end();
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('one that fails makes room as well', async () => {
  const inLine = createWaitingLines(1);
  const begun: string[] = [];
  const [first, second] = [givenWork(begun, 'first'), givenWork(begun, 'second')];
  const failing = inLine('key', first.work);
  const waiting = inLine('key', second.work);

  first.fail();
  second.end();

  await expect(failing).rejects.toThrow('first');
  expect(await waiting).toBe('second');
});

test('what weighs more takes the room of several, and all of a line if it is heavier than that', async () => {
  const inLine = createWaitingLines(3);
  const begun: string[] = [];
  const heavy = givenWork(begun, 'heavy');
  const light = givenWork(begun, 'light');
  const heaviest = givenWork(begun, 'heaviest');
  const last = givenWork(begun, 'last');

  const all = [
    inLine('key', heavy.work, 2),
    inLine('key', light.work),
    inLine('key', heaviest.work, 9),
    inLine('key', last.work),
  ];
  await turn();
  expect(begun).toEqual(['heavy', 'light']);

  heavy.end();
  await turn();
  expect(begun).toEqual(['heavy', 'light']);

  light.end();
  await turn();
  expect(begun).toEqual(['heavy', 'light', 'heaviest']);

  heaviest.end();
  last.end();
  expect(await Promise.all(all)).toEqual(['heavy', 'light', 'heaviest', 'last']);
});

test('lines of different keys do not wait for each other', async () => {
  const inLine = createWaitingLines(1);
  const begun: string[] = [];
  const [one, other] = [givenWork(begun, 'one'), givenWork(begun, 'other')];

  const both = [inLine('a', one.work), inLine('b', other.work)];
  await turn();

  expect(begun).toEqual(['one', 'other']);
  one.end();
  other.end();
  await Promise.all(both);
});
