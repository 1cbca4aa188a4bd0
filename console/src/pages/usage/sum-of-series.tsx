import type { UsageSeries } from '../../api/types.ts';
import { ShortChange } from '../../components/ui/change.tsx';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { UtcDays } from '../../components/ui/utc-days.tsx';
import { Amount } from './amount.tsx';

/** The sum of the range beside that of the period before. */
export function SumOfSeries({ series: { metric, from, to, total, previous } }: { series: UsageSeries }) {
  if (!previous) return null;
  return (
    <Figures>
      <Figure label="In the range" note={<UtcDays from={from} to={to} />}>
        <Amount metric={metric} value={total} />
      </Figure>
      <Figure label="In the period before" note={<UtcDays {...previous} />}>
        <Amount metric={metric} value={previous.total} />
      </Figure>
      <Figure label="Change">
        <ShortChange value={total} previous={previous.total} />
      </Figure>
    </Figures>
  );
}
