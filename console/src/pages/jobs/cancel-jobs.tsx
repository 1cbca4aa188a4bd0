import { cancelJob } from '../../api/jobs.ts';
import type { Job } from '../../api/types.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { countOf } from '../../format/number.ts';

interface CancelJobsProps {
  jobs: readonly Job[];
  onClose: () => void;
  onDone: () => void;
}

/** Cancels the selected jobs that are open, one request each: a job that has ended meanwhile is left as it is. */
export function CancelJobs({ jobs, onClose, onDone }: CancelJobsProps) {
  const what = countOf(jobs.length, 'job');
  const run = async (reason: string | undefined, key: string) => {
    const outcomes = await Promise.allSettled(
      jobs.map(({ job_id }) => cancelJob(job_id, reason, `${key}-${job_id.slice(0, 8)}`)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed && outcomes.every(({ status }) => status === 'rejected')) throw failed.reason;
  };
  return (
    <ConfirmDialog
      title={`Cancel ${what}?`}
      action={`Cancel ${what}`}
      isDangerous
      reasonLabel="Reason (sent with the webhook event)"
      effects={[
        { what: 'Open jobs of this selection', before: jobs.length, after: 0 },
        { what: 'Credits that they are charged', before: 'not decided', after: 'none' },
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
