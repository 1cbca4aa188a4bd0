import { bucketStart, momentAt, wallTime } from './buckets.ts';

interface Period {
  from: Date;
  until: Date;
}

/**
 * The period that a range is compared with. Whole calendar months are compared with as many months before, the beginning of a month with that of
 * the month before, and any other range with the same length before it. `spec 19.75`
 */
export function periodBefore({ from, until }: Period, timeZone = 'UTC'): Period {
  const isMonth = (moment: Date) => bucketStart('month', moment, timeZone).getTime() === moment.getTime();
  const monthsBefore = (months: number) => bucketStart('month', from, timeZone, -months);
  const [first, last] = [wallTime(from.getTime(), timeZone), wallTime(until.getTime(), timeZone)];
  const length = last.getTime() - first.getTime();
  if (isMonth(from) && isMonth(until)) {
    const months = 12 * (last.getUTCFullYear() - first.getUTCFullYear()) + last.getUTCMonth() - first.getUTCMonth();
    return { from: monthsBefore(months), until: from };
  }
  if (isMonth(from) && until < bucketStart('month', from, timeZone, 1)) {
    const start = monthsBefore(1);
    const end = momentAt(wallTime(start.getTime(), timeZone).getTime() + length, timeZone);
    return { from: start, until: new Date(Math.min(end, from.getTime())) };
  }
  return { from: new Date(momentAt(first.getTime() - length, timeZone)), until: from };
}
