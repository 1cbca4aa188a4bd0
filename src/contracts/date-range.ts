import { DayOrMoment, endOf, startOf } from './job-lists.ts';

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

export const isOrdered = ({ from, to }: DateRange): boolean => !from || !to || startOf(from) < endOf(to);
export const notOrdered = { path: ['from'], message: 'from is after to' };

/** The first moment of the range, and the first after it; null where it is open. */
export const boundsOf = ({ from, to }: DateRange) => ({
  from: from === undefined ? null : startOf(from),
  before: to === undefined ? null : endOf(to),
});
