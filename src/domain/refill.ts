export const refillPeriods = ['daily', 'weekly', 'monthly'] as const;
export type RefillPeriod = (typeof refillPeriods)[number];

const dayMs = 86_400_000;

/** The same day and time `months` later, UTC; the last day of that month where it is shorter. */
function addMonths(anchor: Date, months: number): Date {
  const due = new Date(anchor);
  due.setUTCDate(1);
  due.setUTCMonth(anchor.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(due.getUTCFullYear(), due.getUTCMonth() + 1, 0)).getUTCDate();
  due.setUTCDate(Math.min(anchor.getUTCDate(), lastDay));
  return due;
}

/**
 * When refill number `count`, from 1, is due of a refill switched on at `anchor`. Counted from the anchor and never from the
 * previous one: the 31st is the 28th in February and the 31st again in March. `spec 6.6`
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
function countOf(anchor: Date, period: RefillPeriod, due: Date): number {
  if (period === 'daily') return Math.round((due.getTime() - anchor.getTime()) / dayMs);
  if (period === 'weekly') return Math.round((due.getTime() - anchor.getTime()) / (7 * dayMs));
  return (due.getUTCFullYear() - anchor.getUTCFullYear()) * 12 + due.getUTCMonth() - anchor.getUTCMonth();
}

/** The due date after `due`, which is one of this refill's due dates. */
export const nextRefillAt = (anchor: Date, period: RefillPeriod, due: Date): Date =>
  refillDueAt(anchor, period, countOf(anchor, period, due) + 1);

export interface RefillSchedule {
  refill_anchor_at: Date | null;
  next_refill_at: Date | null;
}

/** The schedule of a refill that is switched on now: the first one is due a period later. `spec 6.6` */
export const refillFrom = (now: Date, period: RefillPeriod): RefillSchedule => ({
  refill_anchor_at: now,
  next_refill_at: refillDueAt(now, period, 1),
});

export const noRefill: RefillSchedule = { refill_anchor_at: null, next_refill_at: null };
