import { clockGapMs } from '../../src/domain/clock-gap.ts';

test.each([
  ['between the two times', { before: 1_000, after: 1_050, stated: 1_020 }, 0],
  ['after the second', { before: 1_000, after: 1_050, stated: 3_050 }, 2_000],
  ['before the first', { before: 5_000, after: 5_050, stated: 2_999 }, -2_000],
  [
    'in the second before, which it is rounded to',
    { before: 5_900, after: 5_950, stated: 5_000, resolutionMs: 1_000 },
    0,
  ],
  ['in a whole second before that', { before: 5_900, after: 5_950, stated: 3_000, resolutionMs: 1_000 }, -1_900],
])('a time that was stated %s has a gap of what it cannot be less than', (_, time, gap) => {
  expect(clockGapMs(time)).toBe(gap);
});
