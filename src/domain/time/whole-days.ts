import { dayMs } from './buckets.ts';

/** A range of time: `from` is inclusive, `before` exclusive, and null is open. */
export interface TimeRange {
  from: Date | null;
  before: Date | null;
}

/**
 * A range as the whole days (UTC) in it, of which there are sums, and what is left at its edges. Without a whole day in it, it is
 * one edge.
 */
export interface DividedRange {
  days: TimeRange | null;
  edges: TimeRange[];
}

const toDay = (at: Date | null, round: (days: number) => number): Date | null =>
  at && new Date(round(at.getTime() / dayMs) * dayMs);

export function divideIntoDays({ from, before }: TimeRange): DividedRange {
  const firstDay = toDay(from, Math.ceil);
  const lastDay = toDay(before, Math.floor);
  if (firstDay && lastDay && firstDay >= lastDay) return { days: null, edges: [{ from, before }] };
  const edges = [
    { from, before: firstDay },
    { from: lastDay, before },
  ].filter((edge) => edge.from?.getTime() !== edge.before?.getTime());
  return { days: { from: firstDay, before: lastDay }, edges };
}
