import fc from 'fast-check';
import { divideIntoDays, type TimeRange } from '../../../src/domain/time/whole-days.ts';

const hour = 3_600_000;
const day = 24 * hour;
const at = (hours: number | null): Date | null => (hours === null ? null : new Date(hours * hour));
const rangeOf = (from: number | null, before: number | null): TimeRange => ({ from: at(from), before: at(before) });

const contains = ({ from, before }: TimeRange, moment: number): boolean =>
  (!from || from.getTime() <= moment) && (!before || moment < before.getTime());

test('each moment of a range is in exactly one part of it, and no other moment is in any', () => {
  const bound = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
  fc.assert(
    fc.property(bound, bound, fc.integer({ min: -30 * hour, max: 130 * hour }), (from, before, moment) => {
      fc.pre(from === null || before === null || from < before);
      const range = rangeOf(from, before);
      const { days, edges } = divideIntoDays(range);
      const holding = [...(days ? [days] : []), ...edges].filter((part) => contains(part, moment));
      expect(holding).toHaveLength(contains(range, moment) ? 1 : 0);
      for (const bound of [days?.from, days?.before]) expect((bound?.getTime() ?? 0) % day).toBe(0);
    }),
  );
});

test.each<[string, TimeRange, number]>([
  ['without bounds', rangeOf(null, null), 0],
  ['of whole days', rangeOf(24, 72), 0],
  ['from the middle of a day on', rangeOf(30, null), 1],
  ['within one day', rangeOf(25, 30), 1],
  ['from the middle of a day to the middle of another', rangeOf(30, 80), 2],
])('a range %s is read row by row at its edges only', (_, range, edges) => {
  expect(divideIntoDays(range).edges).toHaveLength(edges);
});
