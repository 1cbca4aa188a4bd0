import { setImmediate as turn } from 'node:timers/promises';
import {
  createFairSemaphore,
  type FairSemaphore,
  type TaskOptions,
  TooManyWaiting,
  WaitedTooLong,
} from '../../src/concurrency/fair-semaphore.ts';

/** Tasks of a semaphore that end when the test ends them. */
function givenTasks(semaphore: FairSemaphore) {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const start = (key: string, name: string, options?: TaskOptions) => {
    const end = Promise.withResolvers<string>();
    ends.set(name, end);
    const task = () => {
      started.push(name);
      return end.promise;
    };
    const outcome = semaphore.run(key, task, options);
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

test('tasks of one key start in the order in which they came, as many at once as the limit of the key allows', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 2 }));
  const all = ['a', 'b', 'c', 'd'].map((name) => start('key', name));
  await turn();
  expect(started).toEqual(['a', 'b']);

  await end('b');
  expect(started).toEqual(['a', 'b', 'c']);

  await end('a', 'c', 'd');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('a task that fails releases its place to the next task', async () => {
  const { start, end, fail } = givenTasks(createFairSemaphore({ perKey: 1 }));
  const failing = start('key', 'first');
  const waiting = start('key', 'second');
  await turn();

  await fail('first');
  await end('second');

  await expect(failing).rejects.toThrow('first');
  expect(await waiting).toBe('second');
});

test('a heavy task occupies several places, and a task heavier than the limit occupies all of them', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 3 }));
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

test('without a total limit, tasks of one key do not wait for tasks of another key', async () => {
  const { start, started } = givenTasks(createFairSemaphore({ perKey: 1 }));

  start('a', 'one');
  start('a', 'waits');
  start('b', 'other');
  await turn();

  expect(started).toEqual(['one', 'other']);
});

test('keys that share a total limit take turns, however many tasks of one key wait', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1, total: 1 }));
  for (const name of ['a1', 'a2', 'a3']) start('a', name);
  for (const name of ['b1', 'b2']) start('b', name);
  start('c', 'c1');
  await turn();

  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(started.at(-1) ?? name);

  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
});

test('a heavy task whose turn has come is not overtaken by lighter tasks of other keys', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 3, total: 3 }));
  start('a', 'a', { weight: 2 });
  start('b', 'heavy', { weight: 3 });
  start('c', 'light');
  await turn();
  expect(started).toEqual(['a']);

  await end('a');
  expect(started).toEqual(['a', 'heavy']);
});

test('when too many tasks wait, the newest task of the key with the most waiting tasks is rejected', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1, total: 1, waiting: 3 }));
  start('flood', 'running');
  const flood = ['f1', 'f2', 'f3'].map((name) => start('flood', name));
  const rejected = start('flood', 'f4');
  const honest = start('honest', 'h1');
  await turn();

  await expect(rejected).rejects.toBeInstanceOf(TooManyWaiting);
  await expect(flood[2]).rejects.toBeInstanceOf(TooManyWaiting);
  for (const name of ['running', 'f1', 'h1']) await end(name);
  expect(await honest).toBe('h1');
  expect(started).toEqual(['running', 'f1', 'h1', 'f2']);
});

test('a waiting task whose signal aborts is removed, and the next task starts in its place', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1 }));
  const abort = new AbortController();
  start('key', 'first');
  const removed = start('key', 'removed', { signal: abort.signal });
  start('key', 'last');
  await turn();

  abort.abort(new Error('the client left'));
  await expect(removed).rejects.toThrow('the client left');
  await end('first');

  expect(started).toEqual(['first', 'last']);
});

test('a task whose signal has aborted already does not start', async () => {
  const { start, started } = givenTasks(createFairSemaphore({ perKey: 1 }));

  await expect(start('key', 'never', { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left');

  expect(started).toEqual([]);
});

test('when a waiting heavy task is removed, lighter tasks behind it start', async () => {
  const { start, started } = givenTasks(createFairSemaphore({ perKey: 2, total: 2 }));
  const abort = new AbortController();
  start('a', 'a');
  start('b', 'heavy', { weight: 2, signal: abort.signal });
  start('c', 'light');
  await turn();
  expect(started).toEqual(['a']);

  abort.abort();
  await turn();

  expect(started).toEqual(['a', 'light']);
});

test('a task that waits for longer than allowed is rejected, and a task that has started is not', async () => {
  const { start, end } = givenTasks(createFairSemaphore({ perKey: 1, maxWaitMs: 20 }));
  const first = start('key', 'first');
  const late = start('key', 'late');

  await expect(late).rejects.toBeInstanceOf(WaitedTooLong);

  await end('first');
  expect(await first).toBe('first');
});

test('the waiting tasks of one key can be rejected together, and waiting tasks of other keys still start', async () => {
  const semaphore = createFairSemaphore({ perKey: 1 });
  const { start, end } = givenTasks(semaphore);
  const running = start('a', 'running');
  const waiting = [start('a', 'one'), start('a', 'two')];
  start('b', 'b1');
  const other = start('b', 'b2');
  await turn();

  semaphore.rejectWaiting('a', new Error('away'));

  for (const one of waiting) await expect(one).rejects.toThrow('away');
  await end('running', 'b1', 'b2');
  expect([await running, await other]).toEqual(['running', 'b2']);
});

test('after a long task the next task of the same key is delayed, and tasks of other keys are not', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1, rest: 3 }));
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

test('a key that rests does not occupy one of the places of all keys', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1, total: 1, rest: 1_000 }));
  start('a', 'a1');
  start('a', 'a2');
  await new Promise((resolve) => setTimeout(resolve, 30));

  await end('a1');
  start('b', 'b1');
  await turn();

  expect(started).toEqual(['a1', 'b1']);
});

test('a task whose wait signal aborts while it waits is removed, and the tasks behind it keep their turns', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1 }));
  const leaving = new AbortController();
  const first = start('key', 'first');
  const left = start('key', 'left', { waitSignal: leaving.signal });
  const last = start('key', 'last');

  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await end('first', 'last');

  expect(await Promise.all([first, last])).toEqual(['first', 'last']);
  expect(started).toEqual(['first', 'last']);
});

test('a wait signal that has already aborted has no effect on a task that need not wait, and removes a task that must wait', async () => {
  const { start, started, end } = givenTasks(createFairSemaphore({ perKey: 1 }));
  const waitSignal = AbortSignal.abort(new Error('left'));

  const first = start('key', 'first', { waitSignal });
  await expect(start('key', 'second', { waitSignal })).rejects.toThrow('left');
  await end('first');

  expect(await first).toBe('first');
  expect(started).toEqual(['first']);
});

test('a wait signal that aborts while its task runs has no effect', async () => {
  const { start, end } = givenTasks(createFairSemaphore({ perKey: 1 }));
  const leaving = new AbortController();
  const running = start('key', 'running', { waitSignal: leaving.signal });
  await turn();

  leaving.abort(new Error('left'));
  await end('running');

  expect(await running).toBe('running');
});
