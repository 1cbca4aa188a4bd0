import { setTimeout as pause } from 'node:timers/promises';
import { Pulse } from '../src/liveness/stall-detector.ts';

const silenceMs = 600;
const silent = () => new Error('silent');
let pulse: Pulse;
beforeEach(() => {
  pulse = new Pulse(silenceMs);
});
afterEach(() => pulse.close());

const never = () => new Promise<never>(() => undefined);

test('when nothing is answered, every question is given up', async () => {
  const asked = await Promise.allSettled([pulse.listen(never(), silent), pulse.wait(never(), silent)]);

  expect(asked).toMatchObject([{ reason: { message: 'silent' } }, { reason: { message: 'silent' } }]);
});

/** One after the other comes, for four silences. */
const others = (come: () => Promise<unknown>) =>
  Promise.all(Array.from({ length: 12 }, (_, index) => pause((index * silenceMs) / 3).then(come)));

test('a slow answer is waited for while others are answered', async () => {
  const slow = Promise.all([
    pulse.listen(pause(4 * silenceMs, 'late'), silent),
    pulse.wait(pause(4 * silenceMs, 'later'), silent),
  ]);

  await others(() => pulse.listen(pause(1), silent));

  expect(await slow).toEqual(['late', 'later']);
});

test('what is waited for and comes is nobody’s answer', async () => {
  const slow = pulse.listen(pause(4 * silenceMs), silent);

  const [given] = await Promise.allSettled([slow, others(() => pulse.wait(pause(1), silent))]);

  expect(given).toMatchObject({ reason: { message: 'silent' } });
});

test('a question that fails is not given up a second time', async () => {
  await expect(pulse.listen(Promise.reject(new Error('refused')), silent)).rejects.toThrow('refused');
});

test('a process that was held up itself gives nothing up for it', async () => {
  const answered = pulse.listen(pause(1, 'there'), silent);
  const until = Date.now() + 3 * silenceMs;
  while (Date.now() < until) Math.random();

  expect(await answered).toBe('there');
});
