import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { JobFigures } from '../../components/jobs/job-figures.tsx';
import { NoPrice } from '../../components/margins/no-price.tsx';
import { Change } from '../../components/ui/change.tsx';
import { Sparkline } from '../../components/ui/charts/sparkline.tsx';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { Missing, Money } from '../../components/ui/money.tsx';
import { Duration } from '../../components/ui/time.tsx';
import { formatNumber } from '../../format/number.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';

/** Each figure leads to the list of what it is the sum of, in the days that were summed. */
export function OverviewFigures({ overview }: { overview: Overview & Ranged }) {
  const { credits_charged, margin_usd, p95_latency_ms } = overview;
  const days = linkedRange(overview);
  return (
    <Figures>
      <JobFigures overview={overview} />
      <Figure label="Credits charged" note={<Change {...credits_charged} />}>
        <Link to="/margins" search={days}>
          {formatNumber(credits_charged.value)}
        </Link>
        <Sparkline values={credits_charged.spark} />
      </Figure>
      <Figure label="Margin" note={margin_usd.value === null ? <NoPrice /> : <Change {...margin_usd} />}>
        <Link to="/margins" search={days}>
          {margin_usd.value === null ? <Missing why="a credit has no price" /> : <Money usd={margin_usd.value} />}
        </Link>
        {margin_usd.value !== null && <Sparkline values={margin_usd.spark} />}
      </Figure>
      <Figure label="p95 latency of calls" note={<Change {...p95_latency_ms} />}>
        <Link to="/models" search={{ tab: 'health', ...days }} title="The health of each model in this range">
          <Duration ms={p95_latency_ms.value} />
        </Link>
        <Sparkline values={p95_latency_ms.spark} />
      </Figure>
    </Figures>
  );
}
