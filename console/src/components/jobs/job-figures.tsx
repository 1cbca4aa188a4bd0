import { Link, useNavigate } from '@tanstack/react-router';
import { useSeesCost } from '../../api/session.ts';
import type { Overview } from '../../api/types.ts';
import { formatNumber, formatPercent } from '../../format/number.ts';
import { bucketRange, linkedRange, type Ranged } from '../../url/answered-range.ts';
import { Change } from '../ui/change.tsx';
import { Sparkline } from '../ui/charts/sparkline.tsx';
import { Section } from '../ui/detail-page.tsx';
import { Figure } from '../ui/figure.tsx';
import { Missing, Money } from '../ui/money.tsx';
import { OutcomeBars } from './outcome-bars.tsx';

interface OfOverview {
  overview: Overview & Ranged;
}

/** The figures that the overview of a team has in common with that of everybody. Each leads to what it is the sum of. */
export function JobFigures({ overview }: OfOverview) {
  const { jobs, success_rate, cost_usd } = overview;
  const seesCost = useSeesCost();
  const days = linkedRange(overview);
  return (
    <>
      <Figure label="Jobs" note={<Change {...jobs} />}>
        <Link to="/jobs" search={days}>
          {formatNumber(jobs.value)}
        </Link>
        <Sparkline values={jobs.spark} />
      </Figure>
      <Figure label="Success rate" note={<Change {...success_rate} isRate />}>
        {success_rate.value === null ? (
          <Missing why="no job has ended" />
        ) : (
          <Link to="/jobs" search={{ ...days, status: ['completed', 'failed', 'cancelled'] }}>
            {formatPercent(success_rate.value)}
          </Link>
        )}
        <Sparkline values={success_rate.spark} />
      </Figure>
      {seesCost && (
        <Figure label="Provider cost" note={<Change {...cost_usd} />}>
          <Link to="/usage" search={{ ...days, metric: 'cost_usd', by: 'job_type' }}>
            <Money usd={cost_usd.value} />
          </Link>
          <Sparkline values={cost_usd.spark} />
        </Figure>
      )}
    </>
  );
}

/** Jobs over time. A part of it that is dragged over opens their list. */
export function JobOutcomes({ overview: { bucket, outcomes, complete_until } }: OfOverview) {
  const navigate = useNavigate();
  return (
    <Section title="Jobs by outcome, by day of creation (UTC)">
      <OutcomeBars
        label="Jobs by outcome"
        bucket={bucket}
        points={outcomes}
        completeUntil={complete_until}
        height={150}
        onSelect={(first, last) => void navigate({ to: '/jobs', search: bucketRange(first, last, bucket) })}
      />
    </Section>
  );
}
