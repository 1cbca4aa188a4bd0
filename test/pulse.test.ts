import { setTimeout as pause } from 'node:timers/promises';
import { Pulse } from '../src/pulse.ts';

const silenceMs = 600;
const silent = () => new Error('silent');
let pulse: Pulse;
beforeEach(() => {
  pulse = new Pulse(silenceMs);
});
afterEach(() => pulse.close());

const never = () => new Promise<never>(() => undefined);

test('when nothing is answered, every question is given up', async () => {
  const aborted: boolean[] = [];
  const ask = (givenUp: AbortSignal) => {
    givenUp.addEventListener('abort', () => aborted.push(true));
    return never();
  };

  const asked = await Promise.allSettled([pulse.listen(ask, silent), pulse.listen(ask, silent)]);

  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(aborted).toHaveLength(2);
});

test('a slow answer is waited for while others are answered', async () => {
  const slow = pulse.listen(() => pause(4 * silenceMs, 'late'), silent);
  const others = Array.from({ length: 12 }, (_, index) =>
    pause((index * silenceMs) / 3).then(() => pulse.listen(() => pause(1), silent)),
  );

  await Promise.all(others);

  expect(await slow).toBe('late');
});

test('a question that fails is not given up a second time', async () => {
  await expect(pulse.listen(() => Promise.reject(new Error('refused')), silent)).rejects.toThrow('refused');
});

test('a process that was held up itself gives nothing up for it', async () => {
  const answered = pulse.listen(() => pause(1, 'there'), silent);
  const until = Date.now() + 3 * silenceMs;
  while (Date.now() < until) Math.random();

  expect(await answered).toBe('there');
});
