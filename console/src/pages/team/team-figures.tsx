import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { Change } from '../../components/change.tsx';
import { Sparkline } from '../../components/charts/lazy.tsx';
import { Figure, Figures } from '../../components/figure.tsx';
import { Missing, Money } from '../../components/money.tsx';
import { Duration } from '../../components/time.tsx';
import { countOf, formatNumber, formatPercent } from '../../format/number.ts';

/** The figures of a team, each with its course and its change on the period before. */
export function TeamFigures({ overview }: { overview: Overview }) {
  const { jobs, success_rate, credits_charged, cost_usd, p95_latency_ms, burn_rate } = overview;
  return (
    <Figures>
      {burn_rate && (
        <Figure label="Credits left" note={lastsNote(burn_rate)}>
          {formatNumber(burn_rate.credits_remaining)}
        </Figure>
      )}
      <Figure label="Credits charged" note={<Change {...credits_charged} />}>
        <Link to="/jobs" search={(before) => ({ ...before, charged: 'true' })}>
          {formatNumber(credits_charged.value)}
        </Link>
        <Sparkline values={credits_charged.spark} />
      </Figure>
      <Figure label="Jobs" note={<Change {...jobs} />}>
        <Link to="/jobs">{formatNumber(jobs.value)}</Link>
        <Sparkline values={jobs.spark} />
      </Figure>
      <Figure label="Completed of ended" note={<Change {...success_rate} isRate />}>
        {success_rate.value === null ? <Missing why="no job has ended" /> : formatPercent(success_rate.value)}
        <Sparkline values={success_rate.spark} />
      </Figure>
      <Figure label="Cost at the providers" note={<Change {...cost_usd} />}>
        <Money usd={cost_usd.value} />
        <Sparkline values={cost_usd.spark} />
      </Figure>
      <Figure label="p95 of a call" note={<Change {...p95_latency_ms} />}>
        <Duration ms={p95_latency_ms.value} />
        <Sparkline values={p95_latency_ms.spark} />
      </Figure>
    </Figures>
  );
}

const lastsNote = ({ credits_per_day, lasts_days, credit_limit, days }: NonNullable<Overview['burn_rate']>): string => {
  if (credit_limit === null) return 'unlimited budget';
  if (lasts_days === null) return `none used in ${days} days`;
  const length = lasts_days < 1 ? 'less than a day' : `about ${countOf(Math.floor(lasts_days), 'day')}`;
  return `${length} at ${credits_per_day.toFixed(1)} a day (estimate)`;
};
