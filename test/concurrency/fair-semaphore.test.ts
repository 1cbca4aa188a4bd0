import { setImmediate as turn } from 'node:timers/promises';
import {
  createFairSemaphore,
  type FairSemaphore,
  TooManyWaiting,
  WaitedTooLong,
  type WorkOptions,
} from '../../src/concurrency/fair-semaphore.ts';

/** Works of a semaphore that end when the test ends them. */
function givenWorks(semaphore: FairSemaphore) {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const start = (key: string, name: string, options?: WorkOptions) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    const work = () => {
      started.push(name);
      return end.promise;
    };
    const outcome = semaphore.run(key, work, options);
    outcome.catch(() => undefined);
    return outcome;
  };
  return {
    started,
    start,
    async end(...names: string[]) {
      for (const name of names) ends.get(name)!.resolve(name);
      await turn();
    },
    async fail(name: string) {
      ends.get(name)!.reject(new Error(name));
      await turn();
    },
  };
}

test('works of one key start in the order in which they came, as many at once as the key may have', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 2 }));
  const all = ['a', 'b', 'c', 'd'].map((name) => start('key', name));
  await turn();
  expect(started).toEqual(['a', 'b']);

  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);

  await end('a', 'c', 'd');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('a work that fails makes room for the next one', async () => {
  const { start, end, fail } = givenWorks(createFairSemaphore({ perKey: 1 }));
  const failing = start('key', 'first');
  const waiting = start('key', 'second');
  await turn();

  await fail('first');
  await end('second');

  await expect(failing).rejects.toThrow('first');
  expect(await waiting).toBe('second');
});

test('a heavy work takes the room of several, and one above the limit takes all of it', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 3 }));
  const all = [
    start('key', 'heavy', { weight: 2 }),
    start('key', 'light'),
    start('key', 'heaviest', { weight: 9 }),
    start('key', 'last'),
  ];
  await turn();
  expect(started).toEqual(['heavy', 'light']);

  await end('heavy');
  expect(started).toEqual(['heavy', 'light']);

  await end('light');
  expect(started).toEqual(['heavy', 'light', 'heaviest']);

  await end('heaviest', 'last');
  expect(await Promise.all(all)).toEqual(['heavy', 'light', 'heaviest', 'last']);
});

test('without a limit for all, works of one key do not wait for those of another', async () => {
  const { start, started } = givenWorks(createFairSemaphore({ perKey: 1 }));

  start('a', 'one');
  start('a', 'waits');
  start('b', 'other');
  await turn();

  expect(started).toEqual(['one', 'other']);
});

test('where all keys share a limit they take turns, however many works one of them has waiting', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 1, total: 1 }));
  for (const name of ['a1', 'a2', 'a3']) start('a', name);
  for (const name of ['b1', 'b2']) start('b', name);
  start('c', 'c1');
  await turn();

  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(started.at(-1) ?? name);

  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a heavy work whose turn has come is not overtaken by lighter works of other keys', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 3, total: 3 }));
  start('a', 'a', { weight: 2 });
  start('b', 'heavy', { weight: 3 });
  start('c', 'light');
  await turn();
  expect(started).toEqual(['a']);

  await end('a');
  expect(started).toEqual(['a', 'heavy']);
});

test('when too many works wait, the key with the most of them loses its latest', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 1, total: 1, waiting: 3 }));
  start('flood', 'running');
  const flood = ['f1', 'f2', 'f3'].map((name) => start('flood', name));
  const refused = start('flood', 'f4');
  const honest = start('honest', 'h1');
  await turn();

  await expect(refused).rejects.toBeInstanceOf(TooManyWaiting);
  await expect(flood[2]).rejects.toBeInstanceOf(TooManyWaiting);
  for (const name of ['running', 'f1', 'h1']) await end(name);
  expect(await honest).toBe('h1');
  expect(started).toEqual(['running', 'f1', 'h1', 'f2']);
});

test('a waiting work whose signal aborts is dropped, and the others move up', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 1 }));
  const gone = new AbortController();
  start('key', 'first');
  const dropped = start('key', 'dropped', { signal: gone.signal });
  start('key', 'last');
  await turn();

  gone.abort(new Error('the client left'));
  await expect(dropped).rejects.toThrow('the client left');
  await end('first');

  expect(started).toEqual(['first', 'last']);
});

test('a work whose signal has aborted before it came does not start', async () => {
  const { start, started } = givenWorks(createFairSemaphore({ perKey: 1 }));

  await expect(start('key', 'never', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');

  expect(started).toEqual([]);
});

test('a dropped heavy work lets lighter works behind it start', async () => {
  const { start, started } = givenWorks(createFairSemaphore({ perKey: 2, total: 2 }));
  const gone = new AbortController();
  start('a', 'a');
  start('b', 'heavy', { weight: 2, signal: gone.signal });
  start('c', 'light');
  await turn();
  expect(started).toEqual(['a']);

  gone.abort();
  await turn();

  expect(started).toEqual(['a', 'light']);
});

test('a work that waits for longer than allowed is refused, and one that has started is not', async () => {
  const { start, end } = givenWorks(createFairSemaphore({ perKey: 1, longestWaitMs: 20 }));
  const first = start('key', 'first');
  const late = start('key', 'late');

  await expect(late).rejects.toBeInstanceOf(WaitedTooLong);

  await end('first');
  expect(await first).toBe('first');
});

test('the waiting works of a key can be refused together, and those of other keys go on', async () => {
  const semaphore = createFairSemaphore({ perKey: 1 });
  const { start, end } = givenWorks(semaphore);
  const running = start('a', 'running');
  const waiting = [start('a', 'one'), start('a', 'two')];
  start('b', 'b1');
  const other = start('b', 'b2');
  await turn();

  semaphore.refuseWaiting('a', new Error('away'));

  for (const one of waiting) await expect(one).rejects.toThrow('away');
  await end('running', 'b1', 'b2');
  expect([await running, await other]).toEqual(['running', 'b2']);
});

test('after long work a key rests, and other keys do not', async () => {
  const { start, started, end } = givenWorks(createFairSemaphore({ perKey: 1, rest: 3 }));
  const first = start('a', 'a1');
  const second = start('a', 'a2');
  await new Promise((resolve) => setTimeout(resolve, 30));

  await end('a1');
  await first;
  start('b', 'b1');
  await turn();
  expect(started).toEqual(['a1', 'b1']);

  await end('a2');
  expect(await second).toBe('a2');
});
