import { createExhaustedCounters } from '../../src/redis/limits/exhausted-counters.ts';

const draw = (limit: number) => ({ key: 'calls:team', cost: 1, limit, windowMs: 60_000 });
const usedUp = { limit: 60, remaining: 0, resetMs: 30_000 };

test('a counter that was used up is known to be so until its window ends', () => {
  let now = 0;
  const counters = createExhaustedCounters(() => now);
  counters.note(draw(60), usedUp);

  now = 10_000;
  expect(counters.get(draw(60))).toEqual({ limit: 60, remaining: 0, resetMs: 20_000 });
  now = 30_000;
  expect(counters.get(draw(60))).toBeUndefined();
});

test('a counter of which something is left is not known as used up, though a larger draw was refused', () => {
  const counters = createExhaustedCounters();
  counters.note(draw(60), { ...usedUp, remaining: 5 });

  expect(counters.get(draw(60))).toBeUndefined();
});

test('a used-up counter has room again when its limit is raised, or when something is given back', () => {
  const counters = createExhaustedCounters();
  counters.note(draw(60), usedUp);

  expect(counters.get(draw(61))).toBeUndefined();
  expect(counters.get(draw(60))).toBeDefined();
  counters.delete(draw(60));
  expect(counters.get(draw(60))).toBeUndefined();
});
