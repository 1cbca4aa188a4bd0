import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { jobTotalsQuery } from '../../../api/jobs.ts';
import { useMay } from '../../../api/session.ts';
import { type JobListSearch, toFilters, toHistogramKey } from '../../../components/jobs/job-search.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Totals } from '../../../components/ui/list/totals.tsx';
import { Money } from '../../../components/ui/money.tsx';
import { Time } from '../../../components/ui/time.tsx';
import { formatCompact, formatNumber } from '../../../format/number.ts';
import type { RangeSearch } from '../../../url/time-range.ts';
import styles from './jobs.module.css';

const CancelMatching = lazy(() =>
  import('./cancel-matching.tsx').then(({ CancelMatching }) => ({ default: CancelMatching })),
);

interface JobTotalsProps {
  search: JobListSearch & RangeSearch;
  list: JobListSearch & RangeSearch;
  onCancelled: () => void;
}

/** How many jobs match, and what they took; and what can be done with all that match. */
export function JobTotals({ search, list, onCancelled }: JobTotalsProps) {
  const { data } = useQuery(jobTotalsQuery(toHistogramKey(search), () => toFilters(search)));
  const mayCancel = useMay('jobs:cancel');
  const [isCancelling, setCancelling] = useState(false);
  const open = (search.status ?? openStatuses).filter((one) => openStatuses.includes(one));
  const shown = (value: number | undefined) => (value === undefined ? '…' : formatNumber(value));
  return (
    <div className={styles.totals}>
      <Totals
        totals={[
          ['Jobs', data && !data.complete ? `${shown(data.jobs)} or more` : shown(data?.jobs)],
          ['Calls', shown(data?.total_calls)],
          ['Failed calls', shown(data?.failed_calls)],
          ['Tokens', data ? formatCompact(data.total_tokens) : '…'],
          ['Cost', data ? <Money key="cost" usd={data.total_cost_usd} /> : '…'],
          ['Credits', shown(data?.credits_charged)],
        ]}
      />
      {data?.from && (
        <span className="muted">
          of those since <Time at={data.from} />: older ones were not looked at
        </span>
      )}
      {mayCancel && open.length > 0 && (
        <Button look="quiet" onClick={() => setCancelling(true)}>
          Cancel open ones …
        </Button>
      )}
      <Suspense>
        {isCancelling && (
          <CancelMatching list={{ ...list, status: open }} onClose={() => setCancelling(false)} onDone={onCancelled} />
        )}
      </Suspense>
    </div>
  );
}

const openStatuses = ['pending', 'in_progress'];
