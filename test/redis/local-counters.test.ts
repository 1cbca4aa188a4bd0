import { createExhaustedCounters } from '../../src/redis/limits/local-counters.ts';

const draw = (limit: number) => ({ key: 'calls:team', cost: 1, limit, windowMs: 60_000 });
const exhausted = { limit: 60, remaining: 0, resetMs: 30_000 };

test('an exhausted counter is found until its window ends', () => {
  let now = 0;
  const counters = createExhaustedCounters(() => now);
  counters.record(draw(60), exhausted);

  now = 10_000;
  expect(counters.get(draw(60))).toEqual({ limit: 60, remaining: 0, resetMs: 20_000 });
  now = 30_000;
  expect(counters.get(draw(60))).toBeUndefined();
});

test('a counter of which something remains is not exhausted, even if a larger draw was refused', () => {
  const counters = createExhaustedCounters();
  counters.record(draw(60), { ...exhausted, remaining: 5 });

  expect(counters.get(draw(60))).toBeUndefined();
});

test('a counter is not exhausted any more when its limit is raised, or when something is returned to it', () => {
  const counters = createExhaustedCounters();
  counters.record(draw(60), exhausted);

  expect(counters.get(draw(61))).toBeUndefined();
  expect(counters.get(draw(60))).toBeDefined();
  counters.delete(draw(60));
  expect(counters.get(draw(60))).toBeUndefined();
});
