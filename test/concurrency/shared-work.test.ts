import { setImmediate as turn } from 'node:timers/promises';
import { createSharedWork, type SharedWork } from '../../src/concurrency/shared-work.ts';

/** Work of a key that ends when the test ends it. */
function givenWork(shared: SharedWork<string>) {
  const begun: { ending: AbortSignal; result: PromiseWithResolvers<string> }[] = [];
  const start = (ending: AbortSignal) => {
    const result = Promise.withResolvers<string>();
    begun.push({ ending, result });
    return result.promise;
  };
  return { begun, join: (signal = new AbortController().signal) => shared.join('key', start, signal) };
}

const left = new Error('left');

test('callers who wait for the same key at the same time share one work and its result', async () => {
  const { begun, join } = givenWork(createSharedWork());
  const all = [join(), join(), join()];
  await turn();

  expect(begun.length).toBe(1);
  begun[0]!.result.resolve('done');
  expect(await Promise.all(all)).toEqual([
    { value: 'done', isShared: false },
    { value: 'done', isShared: true },
    { value: 'done', isShared: true },
  ]);
});

test('work that fails rejects for all who wait for it, and the next caller begins it anew', async () => {
  const { begun, join } = givenWork(createSharedWork());
  const all = [join(), join()];
  begun[0]!.result.reject(new Error('failed'));

  const outcomes = await Promise.allSettled(all);
  const next = join();
  begun[1]!.result.resolve('done');

  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await next).toEqual({ value: 'done', isShared: false });
});

test('a caller who leaves is rejected with the reason of its signal, and the work goes on for the others', async () => {
  const { begun, join } = givenWork(createSharedWork());
  const leaving = new AbortController();
  const first = join(leaving.signal);
  const second = join();

  leaving.abort(left);

  await expect(first).rejects.toBe(left);
  expect(begun[0]!.ending.aborted).toBe(false);
  begun[0]!.result.resolve('done');
  expect((await second).value).toBe('done');
});

test('work for which nobody waits is ended, and the next caller begins it anew', async () => {
  const { begun, join } = givenWork(createSharedWork());
  const leaving = new AbortController();
  const only = join(leaving.signal);

  leaving.abort(left);
  await expect(only).rejects.toBe(left);
  void join();

  expect(begun.map(({ ending }) => ending.aborted)).toEqual([true, false]);
});

test('work that lingers is shared with a caller who comes back', async () => {
  const { begun, join } = givenWork(createSharedWork({ lingerMs: 60_000 }));
  const leaving = new AbortController();
  const only = join(leaving.signal);
  leaving.abort(left);
  await expect(only).rejects.toBe(left);

  const back = join();
  begun[0]!.result.resolve('done');

  expect(await back).toEqual({ value: 'done', isShared: true });
  expect(begun.length).toBe(1);
});

test('work that lingers is ended when nobody has come back in time', async () => {
  const { begun, join } = givenWork(createSharedWork({ lingerMs: 1 }));
  const leaving = new AbortController();
  const only = join(leaving.signal);
  leaving.abort(left);
  await expect(only).rejects.toBe(left);

  await new Promise((resolve) => begun[0]!.ending.addEventListener('abort', resolve));
  void join();

  expect(begun.length).toBe(2);
});
