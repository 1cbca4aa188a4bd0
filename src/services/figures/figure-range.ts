import { type DateRange, endOf, notOrdered, startOf } from '../../contracts/date-range.ts';
import type { Range } from '../../db/figures/job-days.ts';
import { type Bucket, bucketEnd, bucketStart, dayMs, momentAt } from '../../domain/time/buckets.ts';
import { invalid } from '../../errors.ts';

interface RangeForm {
  /** The range is rounded to whole ones of these, outwards. */
  unit: 'hour' | 'day';
  /** What a range without an end begins and ends with. */
  bucket: Bucket;
  timeZone: string;
  /** The length of a range without a beginning. */
  defaultMs: number;
  maxRangeMs: number;
}

const isDay = (text: string): boolean => !/t/i.test(text);

const startIn = (text: string, timeZone: string): Date =>
  isDay(text) ? new Date(momentAt(startOf(text).getTime(), timeZone)) : startOf(text);

const endIn = (text: string, timeZone: string): Date =>
  isDay(text) ? new Date(momentAt(startOf(text).getTime() + dayMs, timeZone)) : endOf(text);

/** The years that an answer can show, with room for the period before a range. */
const isShown = ({ from, until }: Range, maxRangeMs: number): boolean =>
  from.getTime() - maxRangeMs > Date.UTC(0, 0) && until.getTime() < Date.UTC(9999, 0);

/** The range of a request, or 422. `spec 19.40` */
export function figureRange({ from, to }: DateRange, form: RangeForm, now = new Date()): Range {
  const { unit, bucket, timeZone, defaultMs, maxRangeMs } = form;
  const until = to === undefined ? bucketEnd(bucket, now, timeZone) : bucketEnd(unit, endIn(to, timeZone));
  const start =
    from === undefined
      ? bucketStart(bucket, new Date(until.getTime() - defaultMs), timeZone)
      : bucketStart(unit, startIn(from, timeZone));
  const range = { from: start, until };
  if (start >= until) throw invalid(['query', 'from'], notOrdered.message);
  if (until.getTime() - start.getTime() > maxRangeMs)
    throw invalid(['query', 'from'], `The range has more than ${maxRangeMs / dayMs} days`);
  if (!isShown(range, maxRangeMs)) throw invalid(['query', 'from'], 'The range is out of bounds');
  return range;
}

/** The range in whole days of UTC: money is recorded by the day. */
export const dayRange = (given: DateRange, days = 30): Range =>
  figureRange(given, {
    unit: 'day',
    bucket: 'day',
    timeZone: 'UTC',
    defaultMs: days * dayMs,
    maxRangeMs: 3_660 * dayMs,
  });

/** The range in whole hours of UTC: calls are recorded by the hour. */
export const hourRange = (given: DateRange): Range =>
  figureRange(given, { unit: 'hour', bucket: 'hour', timeZone: 'UTC', defaultMs: dayMs, maxRangeMs: 92 * dayMs });
