import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { JobFigures } from '../../components/jobs/job-figures.tsx';
import { Change } from '../../components/ui/change.tsx';
import { Sparkline } from '../../components/ui/charts/sparkline.tsx';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { Duration } from '../../components/ui/time.tsx';
import { lastingNote, lastingText, rateText } from '../../format/burn-rate.ts';
import { formatNumber } from '../../format/number.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';

/** The figures of a team, its balance first. */
export function TeamHomeFigures({ overview }: { overview: Overview & Ranged }) {
  const { credits_charged, p95_latency_ms, burn_rate } = overview;
  return (
    <Figures>
      {burn_rate && (
        <Figure label="Credits left" note={lastsNote(burn_rate)}>
          <Link to="/ledger">{formatNumber(burn_rate.credits_remaining)}</Link>
        </Figure>
      )}
      <Figure label="Credits charged" note={<Change {...credits_charged} />}>
        <Link to="/jobs" search={{ ...linkedRange(overview), charged: 'true' }}>
          {formatNumber(credits_charged.value)}
        </Link>
        <Sparkline values={credits_charged.spark} />
      </Figure>
      <JobFigures overview={overview} />
      <Figure label="p95 latency of calls" note={<Change {...p95_latency_ms} />}>
        <Duration ms={p95_latency_ms.value} />
        <Sparkline values={p95_latency_ms.spark} />
      </Figure>
    </Figures>
  );
}

function lastsNote(rate: NonNullable<Overview['burn_rate']>): string {
  const lasting = lastingText(rate);
  return lasting === undefined ? lastingNote(rate) : `lasts ${lasting} at ${rateText(rate)} a day, an estimate`;
}
