import type { UsageSeries } from '../../api/types.ts';
import { Count } from '../../components/ui/count.tsx';
import { Missing, Money } from '../../components/ui/money.tsx';
import { shortUsd } from '../../format/money.ts';
import { formatCompact } from '../../format/number.ts';

type Metric = UsageSeries['metric'];

const isMoney = (metric: Metric): boolean => metric === 'cost_usd' || metric === 'revenue_usd';

/** A value of a series: an amount in USD or a count. */
export function Amount({ metric, value }: { metric: Metric; value: number | null | undefined }) {
  if (value === null || value === undefined) return <Missing why="not known yet" />;
  return isMoney(metric) ? <Money usd={value} /> : <Count of={value} short={metric === 'tokens'} />;
}

/** A value of a series as text, for an axis. */
export const formatAmount = (metric: Metric, value: number): string =>
  isMoney(metric) ? shortUsd(value) : formatCompact(value);
