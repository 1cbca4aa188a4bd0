import { textIn } from './search-text.ts';

/** The part of the URL that every page with a time range shares: links between pages keep it. */
export interface RangeSearch {
  /** One of `ranges`, up to now. */
  range?: RangeName;
  /** ISO moments of a fixed range, which takes the place of `range`. */
  from?: string;
  to?: string;
}

const hourMs = 3_600_000;

export const ranges = {
  '1h': { label: 'Last hour', ms: hourMs },
  '24h': { label: 'Last 24 hours', ms: 24 * hourMs },
  '7d': { label: 'Last 7 days', ms: 7 * 24 * hourMs },
  '30d': { label: 'Last 30 days', ms: 30 * 24 * hourMs },
  '90d': { label: 'Last 90 days', ms: 90 * 24 * hourMs },
} as const;
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
  return from || to ? { from, to } : range ? { range } : {};
}

const dayMs = 24 * hourMs;

/** The moment at which a range ends: a day without a time ends with its last millisecond, UTC. */
export const lastMoment = (to: string): number => Date.parse(to) + (/^\d{4}-\d{2}-\d{2}$/.test(to) ? dayMs - 1 : 0);

/** The range, or where the moment is before it a range from the moment on, so that a list that is linked from a row contains the row. */
export function rangeWith({ range, from, to }: RangeSearch, at: string, now?: number): RangeSearch {
  const moments = toMoments({ range, from, to }, now);
  const isBefore = moments.from !== undefined && Date.parse(at) < Date.parse(moments.from);
  const isAfter = moments.to !== undefined && Date.parse(at) > lastMoment(moments.to);
  return isBefore || isAfter ? { range: undefined, from: at, to: undefined } : { range, from, to };
}

/** The `from` and `to` of a request. A range up to now has no `to`. */
export function toMoments({ range, from, to }: RangeSearch, now = Date.now()): { from?: string; to?: string } {
  if (from || to) return { from, to };
  return { from: new Date(now - ranges[range ?? defaultRange].ms).toISOString() };
}
