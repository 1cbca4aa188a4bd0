import { Ban, Printer, Undo2, Workflow } from 'lucide-react';
import { useState } from 'react';
import { cancelJob, isOpen } from '../../../api/jobs.ts';
import type { JobTimeline } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { Permission } from '../../../components/ui/permission.tsx';
import { DeletePayloads } from './delete-payloads.tsx';
import { CopyCurl } from './item/copy-curl.tsx';
import styles from './receipt.module.css';
import { RefundDialog } from './refund-dialog.tsx';

interface JobActionsProps {
  timeline: JobTimeline;
  onChanged: () => void;
}

/** What can be done with the job. What one may not do is absent; what cannot be done now is disabled with the reason. */
export function JobActions({ timeline, onChanged }: JobActionsProps) {
  const { job, verdict, temporal } = timeline;
  const [dialog, setDialog] = useState<'cancel' | 'refund' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      {temporal?.url && (
        <a href={temporal.url} className={styles.link} target="_blank" rel="noreferrer">
          <Workflow size={14} aria-hidden /> Temporal
        </a>
      )}
      <CopyCurl path={`/api/jobs/${job.job_id}/timeline`} does="reads this receipt" />
      <Button icon={Printer} aria-label="Print" title="Print" onClick={() => window.print()} />
      <Permission needs="jobs:refund">
        <Button icon={Undo2} unavailable={noRefund(verdict)} onClick={() => setDialog('refund')}>
          Refund
        </Button>
      </Permission>
      <DeletePayloads timeline={timeline} onChanged={onChanged} />
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
    </>
  );
}

const noRefund = ({ charged, inputs }: JobTimeline['verdict']): string | false =>
  inputs.refunded ? 'It is refunded already' : !charged && 'Nothing was charged';
