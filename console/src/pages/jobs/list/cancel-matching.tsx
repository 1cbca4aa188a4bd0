import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CancelledByFilter, cancelMatching } from '../../../api/jobs.ts';
import { get, type Query } from '../../../api/request.ts';
import type { JobTotals } from '../../../api/types.ts';
import { type JobListSearch, toFilterBody, toFilters } from '../../../components/jobs/job-search.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { Dialog } from '../../../components/ui/dialog.tsx';
import { FormProblem } from '../../../components/ui/field.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';
import { useZone } from '../../../preferences/preferences.ts';
import type { RangeSearch } from '../../../url/time-range.ts';
import { describeList } from '../describe-list.ts';

interface CancelMatchingProps {
  /** The list with only the statuses of open jobs. */
  list: JobListSearch & RangeSearch;
  onClose: () => void;
  onDone: () => void;
}

/** Cancels every open job that matches, after showing how many these are. Jobs that are made meanwhile are no part of them. */
export function CancelMatching({ list, onClose, onDone }: CancelMatchingProps) {
  const zone = useZone();
  const [now] = useState(() => Date.now());
  const end_date = (toFilters(list, now).end_date as string | undefined) ?? new Date(now).toISOString();
  const filters: Query = { ...toFilters(list, now), end_date };
  const counted = useQuery({
    queryKey: ['jobs', 'to-cancel', filters],
    queryFn: ({ signal }) => get<JobTotals>('/api/jobs/totals', filters, signal),
    gcTime: 0,
  });
  const jobs = counted.data?.jobs;
  if (jobs === undefined || jobs === 0)
    return (
      <Dialog title="Cancel open jobs" onClose={onClose}>
        <p aria-live="polite">{jobs === 0 ? 'No open job matches.' : 'Counting …'}</p>
        <FormProblem error={counted.error} />
      </Dialog>
    );
  const what = formatCount(jobs, 'open job');
  return (
    <ConfirmDialog
      title={`Cancel all ${what} that match?`}
      action={`Cancel ${what}`}
      isDangerous
      reasonLabel="Reason (sent with the webhook event)"
      effects={[
        { what: 'Open jobs that match', before: jobs, after: 0 },
        { what: 'Credits charged for them', before: 'not decided', after: 'by their billing policy' },
      ]}
      run={(reason, key) => cancelMatching({ ...toFilterBody(list, now), end_date }, reason, key)}
      done={outcomeOf}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        {describeList(list, zone)}. Their running calls are stopped, and they cannot be opened again. What the calls
        have cost so far stays recorded.
      </p>
    </ConfirmDialog>
  );
}

const outcomeOf = ({ cancelled, already_ended }: CancelledByFilter): string =>
  `Cancelled ${formatCount(cancelled, 'job')}` +
  (already_ended > 0 ? `; ${formatNumber(already_ended)} had ended before` : '');
