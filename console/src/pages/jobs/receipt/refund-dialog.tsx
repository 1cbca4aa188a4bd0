import { useQuery } from '@tanstack/react-query';
import { refundJob } from '../../../api/jobs.ts';
import { get } from '../../../api/request.ts';
import type { JobTimeline, TeamCredits } from '../../../api/types.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';

interface RefundDialogProps {
  timeline: JobTimeline;
  onClose: () => void;
  onDone: () => void;
}

/** Refunds the job of the page, and shows the balance before and after. */
export function RefundDialog({ timeline: { job, verdict }, onClose, onDone }: RefundDialogProps) {
  const balance = useQuery({
    queryKey: ['team', job.team_id, 'credits'],
    queryFn: ({ signal }) => get<TeamCredits>(`/api/teams/${encodeURIComponent(job.team_id)}/credits`, {}, signal),
  });
  const now = balance.data?.credits_remaining;
  return (
    <ConfirmDialog
      title="Refund this job?"
      action={`Give back ${formatCount(verdict.credits, 'credit')}`}
      reasonLabel="Reason (shown in the ledger)"
      effects={[
        { what: 'Charged for this job', before: verdict.credits, after: 0 },
        {
          what: `Balance of ${job.team_id}`,
          before: now === undefined ? '…' : formatNumber(now),
          after: now === undefined ? '…' : formatNumber(now + verdict.credits),
        },
      ]}
      run={(reason, key) => refundJob(job.team_id, job.job_id, reason, key)}
      done={`Gave back ${formatCount(verdict.credits, 'credit')} to ${job.team_id}`}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
