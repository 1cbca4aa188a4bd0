import type { UsageSeries } from '../../api/types.ts';

/** A part of a bar, from one value to another. */
export interface Part {
  key: string;
  color: string;
  from: number;
  to: number;
}

const outcomeColors: Record<string, string> = {
  completed: 'var(--bar-completed)',
  succeeded: 'var(--bar-completed)',
  cancelled: 'var(--bar-cancelled)',
  open: 'var(--bar-open)',
};

export const colorOfOutcome = (key: string | null): string => outcomeColors[key ?? ''] ?? 'var(--bar-failed)';

/** The parts of one bar: outcomes are stacked, other groups are the total with the marked group in front. Empty without data. */
export function toParts(series: UsageSeries, point: UsageSeries['points'][number], marked: number | undefined): Part[] {
  if (point.total === null) return [];
  if (series.group_by === 'outcome') return toOutcomeParts(series, point);
  const total = { key: 'total', color: 'var(--bar-cancelled)', from: 0, to: point.total };
  const value = marked === undefined ? null : (point.values[marked] ?? null);
  return value === null ? [total] : [total, { key: 'marked', color: 'var(--accent)', from: 0, to: value }];
}

function toOutcomeParts({ groups }: UsageSeries, { values, other }: UsageSeries['points'][number]): Part[] {
  let top = 0;
  return [...values, other].flatMap((value, index) => {
    if (!value) return [];
    const key = groups[index]?.key ?? 'other';
    const from = top;
    top += value;
    return [{ key, color: colorOfOutcome(key), from, to: top }];
  });
}
