import { cancelJob } from '../../../api/jobs.ts';
import type { Job } from '../../../api/types.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';

interface CancelJobsProps {
  jobs: readonly Job[];
  onClose: () => void;
  onDone: () => void;
}

/**
 * Cancels the selected jobs that are open, one request each. Where some of them were not cancelled, such as one that has ended meanwhile,
 * the dialog stays and shows that.
 */
export function CancelJobs({ jobs, onClose, onDone }: CancelJobsProps) {
  const what = formatCount(jobs.length, 'job');
  const run = async (reason: string | undefined, key: string) => {
    const outcomes = await Promise.allSettled(
      jobs.map(({ job_id }) => cancelJob(job_id, reason, `${key}-${job_id.slice(0, 8)}`)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (refused.length === 0) return;
    onDone();
    const done = `${formatNumber(jobs.length - refused.length)} of ${what} cancelled`;
    throw new Error(`${done}. ${(refused[0]!.reason as Error).message}`);
  };
  return (
    <ConfirmDialog
      title={`Cancel ${what}?`}
      action={`Cancel ${what}`}
      isDangerous
      reasonLabel="Reason (sent with the webhook event)"
      effects={[
        { what: 'Open jobs in this selection', before: jobs.length, after: 0 },
        { what: 'Credits charged for them', before: 'not decided', after: 'none' },
      ]}
      run={run}
      done={`Cancelled ${what}`}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        Their running calls are stopped, and they cannot be opened again. What the calls have cost so far stays
        recorded.
      </p>
    </ConfirmDialog>
  );
}
