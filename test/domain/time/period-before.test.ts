import { periodBefore } from '../../../src/domain/time/period-before.ts';

test.each([
  ['a month', ['2026-03-01', '2026-04-01'], ['2026-02-01', '2026-03-01']],
  ['a quarter', ['2026-01-01', '2026-04-01'], ['2025-10-01', '2026-01-01']],
  ['the beginning of a month', ['2026-03-01', '2026-03-11'], ['2026-02-01', '2026-02-11']],
  [
    'the beginning of a month that is longer than the one before',
    ['2026-03-01', '2026-03-31'],
    ['2026-02-01', '2026-03-01'],
  ],
  ['any other days', ['2026-03-05', '2026-03-12'], ['2026-02-26', '2026-03-05']],
])('%s is compared with the period before it (spec 19.75)', (_, [from, until], [before, end]) => {
  const period = periodBefore({ from: new Date(from!), until: new Date(until!) });

  expect([period.from, period.until].map((at) => at.toISOString().slice(0, 10))).toEqual([before, end]);
});

test('days of a zone are compared with as many of its days, although one of them is shorter (spec 19.75)', () => {
  const from = new Date('2026-03-27T23:00:00Z');
  const until = new Date('2026-03-29T22:00:00Z');

  const period = periodBefore({ from, until }, 'Europe/Berlin');

  expect([period.from.toISOString(), period.until]).toEqual(['2026-03-25T23:00:00.000Z', from]);
});
