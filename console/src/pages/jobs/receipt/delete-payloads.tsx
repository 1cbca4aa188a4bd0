import { Eraser } from 'lucide-react';
import { useState } from 'react';
import { deletePayloads } from '../../../api/erasure.ts';
import { isOpen } from '../../../api/jobs.ts';
import type { JobTimeline } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { Permission } from '../../../components/ui/permission.tsx';
import { formatCount } from '../../../format/number.ts';

interface DeletePayloadsProps {
  timeline: JobTimeline;
  onChanged: () => void;
}

/** Deletes the requests and responses of a job that has ended, before their time is over. */
export function DeletePayloads({ timeline: { job, calls }, onChanged }: DeletePayloadsProps) {
  const [isAsked, setAsked] = useState(false);
  const stored = calls.filter(({ payload_stored }) => payload_stored).length;
  const whyNot = isOpen(job) ? `The job is ${job.status.replace('_', ' ')}` : stored === 0 && 'No texts are stored';
  return (
    <Permission needs="jobs:delete-payloads">
      <Button icon={Eraser} unavailable={whyNot} onClick={() => setAsked(true)}>
        Delete payloads
      </Button>
      {isAsked && (
        <ConfirmDialog
          title="Delete the payloads of this job?"
          action="Delete the payloads"
          isDangerous
          effects={[
            { what: 'Requests and responses', before: `of ${formatCount(stored, 'call')}`, after: 'none' },
            { what: 'Sums, ledger, attempts', before: 'kept', after: 'kept' },
            { what: 'Metadata, webhook deliveries', before: 'kept', after: 'kept' },
          ]}
          run={() => deletePayloads(job.job_id)}
          done={({ deleted }) => `Deleted request and response of ${formatCount(deleted, 'call')}`}
          onClose={() => setAsked(false)}
          onDone={onChanged}
        >
          <p>Nobody can read them afterwards, and they cannot be restored. What the job was charged stays as it is.</p>
        </ConfirmDialog>
      )}
    </Permission>
  );
}
