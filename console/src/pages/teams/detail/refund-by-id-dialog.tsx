import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { refundJob, timelineQuery } from '../../../api/jobs.ts';
import type { JobTimeline, TeamWithKey } from '../../../api/types.ts';
import { TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { formatCount, formatNumber } from '../../../format/number.ts';

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Refunds a job whose id is entered. The credits are those of its receipt. */
export function RefundByIdDialog({ team, onClose }: { team: TeamWithKey; onClose: () => void }) {
  const [text, setText] = useState('');
  const [reason, setReason] = useState('');
  const jobId = text.trim();
  const isId = uuid.test(jobId);
  const receipt = useQuery({ ...timelineQuery(jobId), enabled: isId });
  const problem = receipt.error?.message ?? (receipt.data && whyNot(receipt.data, team.team_id));
  const credits = receipt.data && !problem ? receipt.data.verdict.credits : undefined;
  const { credits_remaining } = team.credits;
  return (
    <FormDialog
      title={`Refund a job of ${team.team_id}`}
      action={credits === undefined ? 'Give back' : `Give back ${formatCount(credits, 'credit')}`}
      isComplete={credits !== undefined}
      effects={[
        { what: 'Charged for this job', before: credits ?? '…', after: credits === undefined ? '…' : 0 },
        {
          what: 'Credits left',
          before: formatNumber(credits_remaining),
          after: credits === undefined ? '…' : formatNumber(credits_remaining + credits),
        },
      ]}
      run={(key) => refundJob(team.team_id, jobId, reason.trim() || undefined, key)}
      done={`Gave back ${formatCount(credits ?? 0, 'credit')} to ${team.team_id}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Job"
            required
            value={text}
            onChange={setText}
            spellCheck={false}
            hint="Its whole id, as in its receipt"
            problem={problems.job_id ?? problem ?? (jobId !== '' && !isId ? 'This is not the id of a job' : undefined)}
          />
          <TextField label="Reason (shown in the ledger)" maxLength={500} value={reason} onChange={setReason} />
        </>
      )}
    </FormDialog>
  );
}

function whyNot({ job, verdict }: JobTimeline, teamId: string): string | undefined {
  if (job.team_id !== teamId) return `This job belongs to ${job.team_id}`;
  if (verdict.inputs.refunded) return 'This job is refunded already';
  return verdict.charged ? undefined : 'Nothing was charged for this job';
}
