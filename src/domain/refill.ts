import { dayMs } from './time/buckets.ts';

export const refillPeriods = ['daily', 'weekly', 'monthly'] as const;
export type RefillPeriod = (typeof refillPeriods)[number];

/** The same day and time `months` later, in UTC; the last day of the month if the month is shorter. */
function addMonths(anchor: Date, months: number): Date {
  const due = new Date(anchor);
  due.setUTCDate(1);
  due.setUTCMonth(anchor.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 0)).getUTCDate();
  due.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return due;
}

/**
 * The date of refill number `count`, counted from 1, if refills were switched on at `anchor`. Calculated from the anchor and not
 * from the previous refill: the 31st becomes the 28th in February and the 31st again in March. `spec 6.6`
 */
export function refillDueAt(anchor: Date, period: RefillPeriod, count: number): Date {
  switch (period) {
    case 'daily':
      return new Date(anchor.getTime() + count * dayMs);
    case 'weekly':
      return new Date(anchor.getTime() + count * 7 * dayMs);
    case 'monthly':
      return addMonths(anchor, count);
  }
}

/** The number of the refill that is due at `due`. */
function countRefills(anchor: Date, period: RefillPeriod, due: Date): number {
  if (period === 'daily') return Math.round((due.getTime() - anchor.getTime()) / dayMs);
  if (period === 'weekly') return Math.round((due.getTime() - anchor.getTime()) / (7 * dayMs));
  return (due.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + due.getUTCMonth() - anchor.getUTCMonth();
}

/** The due date after `due`, which has to be a due date of the same refill. */
export const nextRefillAt = (anchor: Date, period: RefillPeriod, due: Date): Date =>
  refillDueAt(anchor, period, countRefills(anchor, period, due) + 1);

export interface RefillSchedule {
  refill_anchor_at: Date | null;
  next_refill_at: Date | null;
}

/** The schedule of refills that are switched on now: the first one is due one period later. `spec 6.6` */
export const refillFrom = (now: Date, period: RefillPeriod): RefillSchedule => ({
  refill_anchor_at: now,
  next_refill_at: refillDueAt(now, period, 1),
});

export const noRefill: RefillSchedule = { refill_anchor_at: null, next_refill_at: null };
