import { Ban, Printer, SquareTerminal, Undo2, Workflow } from 'lucide-react';
import { useState } from 'react';
import { servicePath } from '../../api/base.ts';
import { cancelJob, isOpen } from '../../api/jobs.ts';
import { useSession } from '../../api/session.ts';
import type { JobTimeline } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { copyText } from '../../components/id.tsx';
import { Permission } from '../../components/permission.tsx';
import { addToast } from '../../components/toast-queue.ts';
import styles from './job.module.css';
import { RefundDialog } from './refund-dialog.tsx';

interface JobActionsProps {
  timeline: JobTimeline;
  onChanged: () => void;
}

/** What can be done with the job. What one may not do is absent; what cannot be done now says why. */
export function JobActions({ timeline, onChanged }: JobActionsProps) {
  const { job, verdict, temporal } = timeline;
  const { kind } = useSession();
  const [dialog, setDialog] = useState<'cancel' | 'refund' | null>(null);
  const close = () => setDialog(null);
  const copyCurl = () => {
    void copyText(curlOf(job.job_id, kind));
    addToast('Copied a curl line that reads this receipt');
  };
  return (
    <div className={styles.actions}>
      {temporal?.url && (
        <a href={temporal.url} className={styles.link} target="_blank" rel="noreferrer">
          <Workflow size={14} aria-hidden /> Temporal
        </a>
      )}
      <Button icon={SquareTerminal} aria-label="Copy as curl" title="Copy as curl" onClick={copyCurl} />
      <Button icon={Printer} aria-label="Print" title="Print" onClick={() => window.print()} />
      <Permission needs="jobs:refund">
        <Button icon={Undo2} unavailable={noRefund(verdict)} onClick={() => setDialog('refund')}>
          Refund
        </Button>
      </Permission>
      <Permission needs="jobs:cancel">
        <Button
          look="danger"
          icon={Ban}
          unavailable={!isOpen(job) && `The job is ${job.status}`}
          onClick={() => setDialog('cancel')}
        >
          Cancel
        </Button>
      </Permission>
      {dialog === 'cancel' && (
        <ConfirmDialog
          title="Cancel this job?"
          action="Cancel the job"
          isDangerous
          reasonLabel="Reason (sent with the webhook event)"
          effects={[
            { what: 'Status', before: job.status.replace('_', ' '), after: 'cancelled' },
            { what: 'Credits', before: 'not decided', after: 'none charged' },
          ]}
          run={(reason, key) => cancelJob(job.job_id, reason, key)}
          done="The job is cancelled"
          onClose={close}
          onDone={onChanged}
        >
          <p>Its running calls are stopped, and it cannot be opened again.</p>
        </ConfirmDialog>
      )}
      {dialog === 'refund' && <RefundDialog timeline={timeline} onClose={close} onDone={onChanged} />}
    </div>
  );
}

const noRefund = ({ charged, inputs }: JobTimeline['verdict']): string | false =>
  inputs.refunded ? 'It is refunded already' : !charged && 'Nothing was charged';

const curlOf = (jobId: string, kind: 'admin' | 'team'): string =>
  `curl ${window.location.origin}${servicePath}api/jobs/${jobId}/timeline -H "Authorization: Bearer $${kind === 'team' ? 'VIRTUAL_KEY' : 'ACCESS_TOKEN'}"`;
