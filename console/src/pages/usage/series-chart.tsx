import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { UsageSeries } from '../../api/types.ts';
import styles from '../../components/ui/charts/charts.module.css';
import { KeyOfBefore, Legend } from '../../components/ui/charts/legend.tsx';
import { StackedBars } from '../../components/ui/charts/stacked-bars.tsx';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { bucketRange, type Ranged } from '../../url/answered-range.ts';
import { formatAmount } from './amount.tsx';
import { GroupLink } from './group-link.tsx';
import { toListOf } from './list-of.ts';
import { partialWord } from './partial-word.ts';
import { toBars } from './series-parts.ts';
import { metricLabels } from './usage-choices.ts';
import type { UsageFilter } from './usage-filters.ts';

export interface SeriesChartProps {
  series: UsageSeries & Ranged;
  filters: FilterSearch<UsageFilter>;
  /** The key of the group that the others are faint beside. */
  marked: string | undefined;
  height: number;
}

/** The bars of a series, the largest groups in colours and the others together. A part leads to its rows. */
export function SeriesChart({ series, filters, marked, height }: SeriesChartProps) {
  const { metric, bucket, tz, points, group_by } = series;
  const navigate = useNavigate();
  const { groups, values } = useMemo(() => toBars(series), [series]);
  const bars = points.map((point, index) => ({
    at: point.at,
    values: values[index]!,
    total: point.total,
    previous: point.previous,
    partial: partialWord(series, index),
  }));
  const isLinked = toListOf(series, undefined) !== undefined;
  const open = (index: number, place: number | undefined) => {
    const { at } = points[index]!;
    const list = toListOf(series, place === undefined ? undefined : groups[place]!.groupKey);
    const days = bucketRange(at, at, bucket);
    if (list?.to === '/ledger') void navigate({ to: '/ledger', search: { ...filters, ...list.search, ...days } });
    if (list?.to === '/jobs') void navigate({ to: '/jobs', search: { ...filters, ...list.search, ...days } });
  };
  const entries = groups.map(({ label, color, groupKey }) => ({
    label,
    color,
    ...(groupKey !== undefined && {
      link: (
        <GroupLink series={series} filters={filters} groupKey={groupKey}>
          {label}
        </GroupLink>
      ),
    }),
  }));
  return (
    <StackedBars
      label={`${metricLabels[metric]} over time`}
      bucket={bucket}
      zone={tz}
      points={bars}
      groups={groups}
      marked={marked}
      height={height}
      format={(value) => formatAmount(metric, value)}
      onOpen={isLinked ? open : undefined}
      legend={
        <>
          {group_by === 'none' ? 'All' : <Legend entries={entries} />}
          {series.previous && <KeyOfBefore />}
          <span className={styles.hint}>dashed: partial; no bar: no data yet</span>
        </>
      }
    />
  );
}
