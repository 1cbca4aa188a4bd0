import fc from 'fast-check';
import { nextRefillAt, refillDueAt, refillFrom, refillPeriods } from '../../src/domain/refill.ts';

const at = (text: string) => new Date(text);
const anchors = fc.date({ min: at('2000-01-01T00:00:00Z'), max: at('2100-01-01T00:00:00Z'), noInvalidDate: true });

test.each([
  ['daily', '2026-03-28T23:30:00.000Z', 1, '2026-03-29T23:30:00.000Z'],
  ['weekly', '2026-12-28T08:00:00.000Z', 1, '2027-01-04T08:00:00.000Z'],
  ['monthly', '2026-01-31T12:00:00.000Z', 1, '2026-02-28T12:00:00.000Z'],
  ['monthly', '2026-01-31T12:00:00.000Z', 2, '2026-03-31T12:00:00.000Z'],
  ['monthly', '2026-01-31T12:00:00.000Z', 3, '2026-04-30T12:00:00.000Z'],
  ['monthly', '2028-01-31T12:00:00.000Z', 1, '2028-02-29T12:00:00.000Z'],
  ['monthly', '2026-12-15T00:00:00.000Z', 1, '2027-01-15T00:00:00.000Z'],
] as const)('with %s refills from %s, number %i is due at %s (spec 6.6)', (period, anchor, count, due) => {
  expect(refillDueAt(at(anchor), period, count).toISOString()).toBe(due);
});

test('the first refill is due one period after refills were switched on', () => {
  const now = at('2026-05-31T10:00:00.000Z');

  expect(refillFrom(now, 'monthly')).toEqual({ refill_anchor_at: now, next_refill_at: at('2026-06-30T10:00:00.000Z') });
});

test('the next due date is the same, calculated from the last one or from the anchor', () => {
  fc.assert(
    fc.property(
      anchors,
      fc.constantFrom(...refillPeriods),
      fc.integer({ min: 1, max: 60 }),
      (anchor, period, count) => {
        const next = nextRefillAt(anchor, period, refillDueAt(anchor, period, count));

        expect(next).toEqual(refillDueAt(anchor, period, count + 1));
        expect(next.getTime()).toBeGreaterThan(refillDueAt(anchor, period, count).getTime());
      },
    ),
  );
});

test('a monthly refill is due at the same day and time, or on the last day of a shorter month (spec 6.6)', () => {
  fc.assert(
    fc.property(anchors, fc.integer({ min: 1, max: 60 }), (anchor, count) => {
      const due = refillDueAt(anchor, 'monthly', count);

      expect(due.toISOString().slice(11)).toBe(anchor.toISOString().slice(11));
      const tomorrow = new Date(due.getTime() + 86_400_000);
      const lastDay = tomorrow.getUTCMonth() !== due.getUTCMonth();
      expect(due.getUTCDate() === anchor.getUTCDate() || (lastDay && due.getUTCDate() < anchor.getUTCDate())).toBe(
        true,
      );
      const months = (due.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + due.getUTCMonth() - anchor.getUTCMonth();
      expect(months).toBe(count);
    }),
  );
});
