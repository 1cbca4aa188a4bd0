import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Margins } from '../../api/types.ts';
import type { JobListSearch } from '../../components/jobs/job-search.ts';
import { NoPrice } from '../../components/margins/no-price.tsx';
import { ShortChange } from '../../components/ui/change.tsx';
import { Figure, Figures } from '../../components/ui/figure.tsx';
import { Missing, Money } from '../../components/ui/money.tsx';
import { exactUsd } from '../../format/money.ts';
import { formatNumber } from '../../format/number.ts';
import type { RangeSearch } from '../../url/time-range.ts';
import { ended } from './margin-columns.tsx';

interface MarginFiguresProps {
  margins: Margins;
  /** The list of the jobs that were summed. */
  jobs: JobListSearch & RangeSearch;
}

/** The figures of all rows together. */
export function MarginFigures({ margins: { total, usd_per_credit, previous }, jobs }: MarginFiguresProps) {
  const was = previous?.total;
  const ownPrices = total.revenue_usd === null ? <NoPrice /> : 'by the prices of the teams';
  const price = usd_per_credit === null ? ownPrices : `${exactUsd(usd_per_credit)} a credit now`;
  return (
    <Figures>
      <Figure
        label="Jobs"
        note={
          <Compared
            note={`${formatNumber(total.charged_jobs)} charged, ${formatNumber(total.free_jobs)} free`}
            value={total.jobs}
            was={was?.jobs}
            isCount
          />
        }
      >
        <Link to="/jobs" search={jobs}>
          {formatNumber(total.jobs)}
        </Link>
      </Figure>
      <Figure label="Credits" note={creditsNote(total)}>
        <Link to="/jobs" search={{ ...jobs, charged: 'true' }}>
          {formatNumber(total.credits)}
        </Link>
      </Figure>
      <Figure label="Revenue" note={<Compared note={price} value={total.revenue_usd} was={was?.revenue_usd} />}>
        {total.revenue_usd === null ? <Missing why="a credit has no price" /> : <Money usd={total.revenue_usd} />}
      </Figure>
      <Figure label="Provider cost" note={<Compared value={total.cost_usd} was={was?.cost_usd} />}>
        <Link to="/jobs" search={jobs}>
          <Money usd={total.cost_usd} />
        </Link>
      </Figure>
      <Figure
        label="Margin"
        note={<Compared note={marginNote(total)} value={total.margin_usd} was={was?.margin_usd} />}
      >
        {total.margin_usd === null ? <Missing why="a credit has no price" /> : <Money usd={total.margin_usd} />}
      </Figure>
      <Figure label="Cost of failed jobs" note={`${formatNumber(total.failed_jobs)} failed`}>
        <Link to="/jobs" search={{ ...jobs, status: ['failed'] }}>
          <Money usd={total.failed_cost_usd} />
        </Link>
      </Figure>
      <Figure label="Cost of free jobs" note="ended without a charge">
        <Link to="/jobs" search={{ ...jobs, status: ended, charged: 'false' }}>
          <Money usd={total.free_cost_usd} />
        </Link>
      </Figure>
      {total.estimated_cost_usd > 0 && (
        <Figure label="Aborted, estimated" note="reported by nobody, in no other figure">
          <Money usd={total.estimated_cost_usd} />
        </Figure>
      )}
    </Figures>
  );
}

interface ComparedProps {
  note?: ReactNode;
  value: number | null;
  /** What it was in the period before; undefined: that is not shown. */
  was: number | null | undefined;
  isCount?: boolean;
}

/** A note, and below it what the figure was in the period before. */
function Compared({ note, value, was, isCount = false }: ComparedProps) {
  const before = typeof was === 'number' && (
    <>
      before <strong>{isCount ? formatNumber(was) : <Money usd={was} />}</strong>,{' '}
      <ShortChange value={value} previous={was} />
    </>
  );
  return (
    <>
      {note}
      {note && before && <br />}
      {before}
    </>
  );
}

const creditsNote = ({ credits_charged, credits_refunded }: Margins['total']): string =>
  `${formatNumber(credits_charged)} charged, ${formatNumber(credits_refunded)} refunded`;

const marginNote = ({ margin_usd, margin_percent }: Margins['total']) => {
  if (margin_usd === null) return <NoPrice />;
  return margin_percent === null ? 'no revenue' : `${margin_percent.toFixed(1)} % of the revenue`;
};
