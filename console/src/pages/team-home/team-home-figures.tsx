import { Link } from '@tanstack/react-router';
import type { Overview } from '../../api/types.ts';
import { JobFigures } from '../../components/jobs/job-figures.tsx';
import { Change } from '../../components/ui/change.tsx';
import { Sparkline } from '../../components/ui/charts/sparkline.tsx';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { Missing } from '../../components/ui/money.tsx';
import { Duration } from '../../components/ui/time.tsx';
import { lastingNote, lastingText, rateText } from '../../format/burn-rate.ts';
import { formatNumber } from '../../format/number.ts';
import { linkedRange, type Ranged } from '../../url/answered-range.ts';
import styles from './team-home.module.css';

/** The figures of a team, its balance first. */
export function TeamHomeFigures({ overview }: { overview: Overview & Ranged }) {
  const { credits_charged, p95_latency_ms, burn_rate } = overview;
  return (
    <Figures>
      {burn_rate && (
        <>
          <Figure
            label="Credits left"
            note={burn_rate.credit_limit === null ? 'unlimited budget: may fall below 0' : 'a fixed budget'}
          >
            <Link to="/ledger" className={isEmpty(burn_rate) ? styles.empty : undefined}>
              {formatNumber(burn_rate.credits_remaining)}
            </Link>
          </Figure>
          <Figure label="Estimated to last" note={estimateNote(burn_rate)}>
            {lastingText(burn_rate) ?? <Missing why={lastingNote(burn_rate)} />}
          </Figure>
        </>
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

type Rate = NonNullable<Overview['burn_rate']>;

const isEmpty = ({ credits_remaining, credit_limit }: Rate): boolean => credit_limit !== null && credits_remaining <= 0;

const estimateNote = (rate: Rate): string =>
  rate.credits_per_day === null || rate.lasts_days === null
    ? lastingNote(rate)
    : `an estimate, at ${rateText(rate)} a day`;
