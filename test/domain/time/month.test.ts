import { monthOf } from '../../../src/domain/time/month.ts';

test.each([
  ['2026-01', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
  ['0000-01', '0000-01-01T00:00:00.000Z', '0000-02-01T00:00:00.000Z'],
  ['9999-12', '9999-12-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
])('the month %s begins at %s and ends before %s', (period, from, until) => {
  const month = monthOf(period);

  expect([month.from.toISOString(), month.until.toISOString()]).toEqual([from, until]);
});
