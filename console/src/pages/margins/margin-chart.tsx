import { useNavigate } from '@tanstack/react-router';
import type { Margins } from '../../api/types.ts';
import styles from '../../components/ui/charts/charts.module.css';
import { KeyOfBefore, Legend } from '../../components/ui/charts/legend.tsx';
import { isRunning } from '../../components/ui/charts/running-bucket.ts';
import { StackedBars } from '../../components/ui/charts/stacked-bars.tsx';
import type { FilterSearch } from '../../components/ui/list/filters.ts';
import { shortUsd } from '../../format/money.ts';
import { type Bucket, bucketRange } from '../../url/answered-range.ts';
import type { MarginFilter } from './margins-search.ts';

export interface MarginChartProps {
  margins: Margins;
  bucket: Bucket;
  filters: FilterSearch<MarginFilter>;
  height: number;
}

/** What was left of the revenue in each bucket, and what was left in the period before. A bar leads to its jobs. */
export function MarginChart({ margins, bucket, filters, height }: MarginChartProps) {
  const navigate = useNavigate();
  const { points = [], complete_until, previous } = margins;
  const hasMargin = margins.total.margin_usd !== null;
  const color = hasMargin ? 'var(--group-1)' : 'var(--group-other)';
  const label = hasMargin ? 'Margin in USD' : 'Provider cost in USD';
  const marginOf = (sums: { margin_usd: number | null; cost_usd: number }) =>
    hasMargin ? sums.margin_usd : sums.cost_usd;
  const bars = points.map((point) => {
    const value = point.at < complete_until ? marginOf(point) : null;
    return {
      at: point.at,
      values: [value],
      total: value,
      previous: point.previous && marginOf(point.previous),
      partial: isRunning(point.at, bucket, complete_until) ? 'so far' : undefined,
    };
  });
  const open = (index: number) => {
    const { at } = points[index]!;
    void navigate({ to: '/jobs', search: { ...filters, ...bucketRange(at, at, bucket) } });
  };
  return (
    <StackedBars
      label={`${label} over time`}
      bucket={bucket}
      zone="UTC"
      points={bars}
      groups={[{ key: 'margin', label, color }]}
      height={height}
      format={shortUsd}
      onOpen={open}
      legend={
        <>
          <Legend entries={[{ label, color }]} />
          {previous && <KeyOfBefore />}
          <span className={styles.hint}>dashed: not complete; no bar: no data yet</span>
        </>
      }
    />
  );
}
