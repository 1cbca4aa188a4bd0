import { setTimeout as pause } from 'node:timers/promises';
import { StallDetector } from '../../src/concurrency/stall-detector.ts';

const stallMs = 600;
const stalled = () => new Error('stalled');
let stallDetector: StallDetector;
beforeEach(() => {
  stallDetector = new StallDetector(stallMs);
});
afterEach(() => stallDetector.close());

const never = () => new Promise<never>(() => undefined);

test('when the server sends no response at all, every request fails', async () => {
  const outcomes = await Promise.allSettled([
    stallDetector.watch(never(), stalled),
    stallDetector.waitFor(never(), stalled),
  ]);

  expect(outcomes).toMatchObject([{ reason: { message: 'stalled' } }, { reason: { message: 'stalled' } }]);
});

/** Twelve requests one after the other, for four times as long as a stall. */
const others = (request: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: 12 }, (_, index) => pause((index * stallMs) / 3).then(request)));

test('a slow response is awaited while other requests get responses', async () => {
  const slow = Promise.all([
    stallDetector.watch(pause(4 * stallMs, 'late'), stalled),
    stallDetector.waitFor(pause(4 * stallMs, 'later'), stalled),
  ]);

  await others(() => stallDetector.watch(pause(1), stalled));

  expect(await slow).toEqual(['late', 'later']);
});

test('results that are only waited for do not prove that the server is available', async () => {
  const slow = stallDetector.watch(pause(4 * stallMs), stalled);

  const [outcome] = await Promise.allSettled([slow, others(() => stallDetector.waitFor(pause(1), stalled))]);

  expect(outcome).toMatchObject({ reason: { message: 'stalled' } });
});

test('a request that fails rejects with its own error', async () => {
  await expect(stallDetector.watch(Promise.reject(new Error('refused')), stalled)).rejects.toThrow('refused');
});

test('no request fails because its own process was blocked', async () => {
  const response = stallDetector.watch(pause(1, 'there'), stalled);
  const until = Date.now() + 3 * stallMs;
  while (Date.now() < until) Math.random();

  expect(await response).toBe('there');
});
