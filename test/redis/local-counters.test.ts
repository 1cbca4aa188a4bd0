import { createExhaustedCounters } from '../../src/redis/limits/local-counters.ts';

const use = (limit: number) => ({ key: 'calls:team', cost: 1, limit, windowMs: 60_000 });
const exhausted = { limit: 60, remaining: 0, resetMs: 30_000 };

test('an exhausted counter is found until its window ends', () => {
  let now = 0;
  const counters = createExhaustedCounters(() => now);
  counters.record(use(60), exhausted);

  now = 10_000;
  expect(counters.get(use(60))).toEqual({ limit: 60, remaining: 0, resetMs: 20_000 });
  now = 30_000;
  expect(counters.get(use(60))).toBeUndefined();
});

test('a counter of which something remains is not exhausted, even if a larger use was refused', () => {
  const counters = createExhaustedCounters();
  counters.record(use(60), { ...exhausted, remaining: 5 });

  expect(counters.get(use(60))).toBeUndefined();
});

test('a counter is not exhausted any more when its limit is raised, or when something is returned to it', () => {
  const counters = createExhaustedCounters();
  counters.record(use(60), exhausted);

  expect(counters.get(use(61))).toBeUndefined();
  expect(counters.get(use(60))).toBeDefined();
  counters.delete(use(60));
  expect(counters.get(use(60))).toBeUndefined();
});
