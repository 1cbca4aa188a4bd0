import type { z } from 'zod';
import type { SeriesRow, UsageSeries } from '../../../contracts/usage-series.ts';
import type { SeriesResult } from '../../../services/figures/get-usage-series.ts';

/** Null where nothing is known yet: from `completeUntil` on. */
function toPoints({
  starts,
  answer: { groups, other, cells },
  completeUntil,
  before,
  compared,
  previous,
}: SeriesResult) {
  const positions = groups.length + 2;
  const values = starts.map(() => Array<number>(positions).fill(0));
  const ofBefore = Array<number>(compared).fill(0);
  for (const [bucket, position, value] of cells)
    if (bucket <= compared) ofBefore[bucket - 1] = value;
    else values[bucket - before - 1]![position === 0 ? 0 : Math.min(position, positions - 1)] = value;
  return starts.map((at, index) => {
    const isKnown = at < completeUntil;
    const [total, ...ofGroups] = values[index]!;
    const shown = (value: number) => (isKnown ? value : null);
    return {
      at: at.toISOString(),
      total: shown(total!),
      values: ofGroups.slice(0, groups.length).map(shown),
      other: other.count > 0 ? shown(ofGroups.at(-1)!) : null,
      ...(previous && { previous: ofBefore[index] ?? null }),
    };
  });
}

export function serializeSeries(series: SeriesResult): z.input<typeof UsageSeries> {
  const { metric, group_by, bucket, from, until, tz, clock, completeUntil, answer, previous } = series;
  const { count, total: ofOther, previous: ofOtherBefore } = answer.other;
  return {
    metric,
    group_by,
    bucket,
    from: from.toISOString(),
    to: until.toISOString(),
    tz,
    clock,
    complete_until: completeUntil.toISOString(),
    groups: answer.groups.map(({ previous: before, ...group }) => ({
      ...group,
      ...(previous && { previous: before }),
    })),
    other: count > 0 ? { total: ofOther, count, ...(previous && { previous: ofOtherBefore }) } : null,
    total: answer.total,
    ...(previous && {
      previous: { from: previous.from.toISOString(), to: previous.until.toISOString(), total: answer.previous },
    }),
    points: toPoints(series),
  };
}

/** A row for each bucket and group, and for the groups that are not shown. */
export const seriesRows = ({ groups, other, points }: z.output<typeof UsageSeries>): z.input<typeof SeriesRow>[] =>
  points.flatMap(({ at, values, other: rest }) => [
    ...groups.map(({ key, label }, position) => ({ at, key, label, value: values[position] ?? null })),
    ...(other ? [{ at, key: null, label: 'Other', value: rest }] : []),
  ]);
