import { monthsBefore, rangeOfMonth } from './month.ts';
import { textIn } from './search-text.ts';

/**
 * The part of the URL that every page with a time range has. `range` is what a person has chosen, and links between pages keep it. A link
 * to a narrower part, such as a bar of a chart, adds `from` and `to`, which hold for its page only.
 */
export interface RangeSearch {
  /** One of `ranges`, up to now. */
  range?: RangeName;
  /** ISO dates or moments of a fixed range, which takes the place of `range`. */
  from?: string;
  to?: string;
}

/**
 * A range is whole days of UTC, and the present day is its last one: money is summed by such days, and a list has to have the rows that
 * its sum is of. Decision 107.
 */
export const ranges = {
  today: { label: 'Today (UTC)', days: 1 },
  '24h': { label: 'Since yesterday (UTC)', days: 2 },
  '7d': { label: 'Last 7 days', days: 7 },
  '30d': { label: 'Last 30 days', days: 30 },
  '90d': { label: 'Last 90 days', days: 90 },
  month: { label: 'This month (UTC)', monthsAgo: 0 },
  'last-month': { label: 'Last month (UTC)', monthsAgo: 1 },
} as const satisfies Record<string, { label: string; days: number } | { label: string; monthsAgo: number }>;
export type RangeName = keyof typeof ranges;
export const rangeNames = Object.keys(ranges) as RangeName[];
export const defaultRange: RangeName = '7d';

const momentIn = (search: Record<string, unknown>, name: string): string | undefined => {
  const text = textIn(search, name);
  return text && !Number.isNaN(Date.parse(text)) ? text : undefined;
};

export function readRange(search: Record<string, unknown>): RangeSearch {
  const named = textIn(search, 'range');
  const range = rangeNames.find((name) => name === named);
  const [from, to] = [momentIn(search, 'from'), momentIn(search, 'to')];
  return { ...(range && { range }), ...((from || to) && { from, to }) };
}

/** The range of a link: without one that of the page it is on, as it was chosen; with a part of it, that part within the chosen range. */
export function keepRange(of: RangeSearch, link: RangeSearch): RangeSearch {
  const { range, from, to } = of;
  const chosen: RangeSearch = range ? { range } : from || to ? { from, to } : {};
  const isPart = Boolean(link.from || link.to);
  if ('range' in link) return {};
  if (isPart) return { range: chosen.range ?? (chosen.from || chosen.to ? undefined : defaultRange) };
  return 'from' in link ? {} : chosen;
}

const dayMs = 86_400_000;

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** The moment at which a range ends: a day without a time ends with its last millisecond, UTC. */
export const lastMoment = (to: string): number => Date.parse(to) + (/^\d{4}-\d{2}-\d{2}$/.test(to) ? dayMs - 1 : 0);

/** The range, or where the moment is before it a range from the moment on, so that a list that is linked from a row contains the row. */
export function rangeWith({ range, from, to }: RangeSearch, at: string, now?: number): RangeSearch {
  const moments = toMoments({ range, from, to }, now);
  const isBefore = moments.from !== undefined && Date.parse(at) < Date.parse(moments.from);
  const isAfter = moments.to !== undefined && Date.parse(at) > lastMoment(moments.to);
  return isBefore || isAfter ? { from: at, to: undefined } : { range, from, to };
}

/** The range of a link to all that a list has of so many days, whatever range was chosen. */
export const ofLastDays = (days: number, now = Date.now()): RangeSearch => ({
  from: dayOf(now - (days - 1) * dayMs),
  to: undefined,
});

/** The range of a link to all that there is of a thing: from the day on which it was created. */
export const sinceDayOf = (created: string): RangeSearch => ({ from: dayOf(Date.parse(created)), to: undefined });

/** The days of a named range: up to now, unless it is a month that is over. */
function daysOf(name: RangeName, now: number): { from: string; to?: string } {
  const range = ranges[name];
  if ('days' in range) return { from: dayOf(now - (range.days - 1) * dayMs) };
  const { from, to } = rangeOfMonth(monthsBefore(range.monthsAgo, now));
  return range.monthsAgo === 0 ? { from } : { from, to };
}

/** The length of the buckets in which a range is shown. */
export function fittingBucket(search: RangeSearch, now = Date.now()): 'day' | 'month' {
  const { from, to } = toMoments(search, now);
  if (!from) return 'month';
  return (to ? Date.parse(to) : now) - Date.parse(from) > maxDaysByDay * dayMs ? 'month' : 'day';
}
const maxDaysByDay = 92;

/** The `from` and `to` of a request, as moments: to some requests a date is a day of the chosen zone. A range up to now has no `to`. */
export function toMoments({ range, from, to }: RangeSearch, now = Date.now()): { from?: string; to?: string } {
  const fixed = from || to ? { from, to } : daysOf(range ?? defaultRange, now);
  return {
    ...(fixed.from && { from: new Date(fixed.from).toISOString() }),
    ...(fixed.to && { to: new Date(lastMoment(fixed.to)).toISOString() }),
  };
}
