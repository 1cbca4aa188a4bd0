import { z } from 'zod';
import { dayMs } from '../domain/time/buckets.ts';

/** An ISO date, or a date-time; without an offset it is UTC. */
const Day = z.iso.date();
const Moment = z.iso.datetime({ offset: true, local: true });
/**
 * The text in the form that `Moment` and `Date` read: ISO 8601 allows leaving out seconds and the colon of an offset, and a `+` in
 * a URL is a space.
 */
function written(text: string): string {
  const [day, ...times] = text.toUpperCase().split('T');
  const time = times
    .join('T')
    .replace(/ (\d{2}:?\d{2})$/, '+$1')
    .replace(/^(\d{2}:\d{2})(?=Z|[+-])/, '$1:00')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return times.length === 0 ? day! : `${day}T${time}`;
}
/** A date has room for nanoseconds. Longer text is not parsed, because the time for it grows with the square of the length. */
const maxDateCharacters = 40;
export const DayOrMoment = z
  .string()
  .max(maxDateCharacters, { abort: true })
  .superRefine((text, context) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
    if ((isDay ? Day : Moment).safeParse(written(text)).success) return;
    const message = 'Input should be a valid date or datetime';
    context.addIssue({ code: 'custom', message, params: { type: 'datetime_parsing' } });
  })
  .meta({ example: '2026-01-31' });

/** The first moment of the date or date-time. A bare date is UTC to JavaScript, a time without an offset is not. */
export function startOf(text: string): Date {
  const moment = written(text);
  return new Date(/^[^T]*T[^Z+-]*$/.test(moment) ? `${moment}Z` : moment);
}

/** The first moment after the date or date-time: a bare date lasts to the end of its day, UTC; a date-time is its own millisecond. */
export const endOf = (text: string): Date =>
  new Date(startOf(text).getTime() + (Day.safeParse(text).success ? dayMs : 1));

/** A range of a list by the time of its rows, as `start_date` and `end_date` of the list of jobs. */
export const dateRange = (rows: string) => ({
  from: DayOrMoment.optional().meta({
    description: `Only ${rows} from then on: an ISO 8601 date or date-time, UTC without an offset`,
    example: '2026-01-01',
  }),
  to: DayOrMoment.optional().meta({
    description: `Only ${rows} up to then: as \`from\`; a date without a time lasts to the end of its day, UTC`,
    example: '2026-01-31',
  }),
});

export interface DateRange {
  from?: string | undefined;
  to?: string | undefined;
}

/** A `refine` of a query with a range. */
export const isOrdered = ({ from, to }: DateRange): boolean => !from || !to || startOf(from) < endOf(to);
export const notOrdered = { path: ['from'], message: 'from is after to' };

/** The first moment of the range, and the first after it; null where it is open. */
export const boundsOf = ({ from, to }: DateRange) => ({
  from: from === undefined ? null : startOf(from),
  before: to === undefined ? null : endOf(to),
});
