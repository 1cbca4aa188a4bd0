import { setTimeout as pause } from 'node:timers/promises';
import { StallDetector } from '../../src/liveness/stall-detector.ts';

const silenceMs = 600;
const silent = () => new Error('silent');
let stallDetector: StallDetector;
beforeEach(() => {
  stallDetector = new StallDetector(silenceMs);
});
afterEach(() => stallDetector.close());

const never = () => new Promise<never>(() => undefined);

test('when nothing is answered, every question is given up', async () => {
  const asked = await Promise.allSettled([
    stallDetector.watch(never(), silent),
    stallDetector.waitFor(never(), silent),
  ]);

  expect(asked).toMatchObject([{ reason: { message: 'silent' } }, { reason: { message: 'silent' } }]);
});

/** One after the other comes, for four silences. */
const others = (come: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: 12 }, (_, index) => pause((index * silenceMs) / 3).then(come)));

test('a slow answer is waited for while others are answered', async () => {
  const slow = Promise.all([
    stallDetector.watch(pause(4 * silenceMs, 'late'), silent),
    stallDetector.waitFor(pause(4 * silenceMs, 'later'), silent),
  ]);

  await others(() => stallDetector.watch(pause(1), silent));

  expect(await slow).toEqual(['late', 'later']);
});

test('what is waited for and comes is nobody’s answer', async () => {
  const slow = stallDetector.watch(pause(4 * silenceMs), silent);

  const [given] = await Promise.allSettled([slow, others(() => stallDetector.waitFor(pause(1), silent))]);

  expect(given).toMatchObject({ reason: { message: 'silent' } });
});

test('a question that fails is not given up a second time', async () => {
  await expect(stallDetector.watch(Promise.reject(new Error('refused')), silent)).rejects.toThrow('refused');
});

test('a process that was held up itself gives nothing up for it', async () => {
  const answered = stallDetector.watch(pause(1, 'there'), silent);
  const until = Date.now() + 3 * silenceMs;
  while (Date.now() < until) Math.random();

  expect(await answered).toBe('there');
});
