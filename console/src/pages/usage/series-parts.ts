import type { UsageSeries } from '../../api/types.ts';
import { groupColor, otherColor } from '../../components/ui/charts/group-colors.ts';
import type { BarGroup } from '../../components/ui/charts/stack-of.ts';

const outcomeColors: Record<string, string> = {
  completed: 'var(--bar-completed)',
  succeeded: 'var(--bar-completed)',
  cancelled: 'var(--bar-cancelled)',
  open: 'var(--bar-open)',
  failed: 'var(--bar-failed)',
};

/** Outcomes have their own colours. Of several kinds of failures each has one of the groups. */
const colorOf = ({ group_by }: UsageSeries, key: string | null, place: number): string =>
  (group_by === 'outcome' ? outcomeColors[key ?? ''] : undefined) ?? groupColor(place);

export interface SeriesGroup extends BarGroup {
  /** The value of the field; undefined for all groups, and for those that are not shown. */
  groupKey: string | null | undefined;
}

/** The groups of the bars with their colours, and the values of each bar in the order of the groups. */
export function toBars(series: UsageSeries): { groups: SeriesGroup[]; values: (number | null)[][] } {
  const { group_by, groups, other, points } = series;
  if (group_by === 'none')
    return {
      groups: [{ key: 'all', label: 'All', color: groupColor(0), groupKey: undefined }],
      values: points.map(({ total }) => [total]),
    };
  const shown = groups.map(({ key, label }, place) => ({
    key: `${key}`,
    label: key === null ? 'none' : label,
    color: colorOf(series, key, place),
    groupKey: key,
  }));
  const rest = { key: 'other', label: 'Other', color: otherColor, groupKey: undefined };
  return {
    groups: other ? [...shown, rest] : shown,
    values: points.map(({ values, other: ofRest }) => (other ? [...values, ofRest] : values)),
  };
}
