import { CircleStop } from 'lucide-react';
import { useRef, useState } from 'react';
import { isUnderWay, stopCall } from '../../../../api/calls.ts';
import type { Call } from '../../../../api/types.ts';
import { Button } from '../../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../../components/ui/confirm-dialog.tsx';
import { Permission } from '../../../../components/ui/permission.tsx';
import { useFocusReturn } from '../../../../components/ui/use-focus-return.ts';
import { useRefreshAll } from '../../../../components/ui/use-refresh-all.ts';

/** Ends a call that is under way with what it has written. The question stays open when the call ends meanwhile: the answer is then the same. */
export function StopCall({ jobId, call }: { jobId: string; call: Call }) {
  const [isAsked, setAsked] = useState(false);
  const refresh = useRefreshAll();
  return (
    <Permission needs="jobs:cancel">
      {isUnderWay(call) && <StopButton onClick={() => setAsked(true)} />}
      {isAsked && (
        <ConfirmDialog
          title={`Stop call #${call.position}?`}
          action="Stop the call"
          isDangerous
          effects={[
            { what: 'Status', before: call.status, after: 'succeeded' },
            { what: 'Finish reason', before: 'none', after: 'stopped' },
            call.status === 'queued'
              ? { what: 'Answer', before: 'none', after: 'none: no model is asked' }
              : { what: 'Answer', before: 'being written', after: 'what was written so far' },
          ]}
          run={(_, key) => stopCall(jobId, call.call_id, key)}
          done={(answer) => `Call #${call.position} ${outcomeOf(answer)}`}
          onClose={() => setAsked(false)}
          onDone={refresh}
        >
          <p>
            It counts as a call that succeeded: a stop does not make its job free. What the model took for it is an
            estimate beside the sums of the job. A job of this one call is completed and charged if a token was shown,
            and else cancelled.
          </p>
        </ConfirmDialog>
      )}
    </Permission>
  );
}

/** A call whose worker was lost is ended by the next one. */
function outcomeOf(call: Call): string {
  if (isUnderWay(call)) return 'is stopped as soon as a worker is back';
  return call.finish_reason === 'stopped' ? 'is stopped' : 'had ended before';
}

/** When the call has ended the button is gone, and the focus is on the open tab of the call. */
function StopButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusReturn(button, () => document.querySelector<HTMLElement>('article [role="tab"][aria-selected="true"]'));
  return (
    <Button ref={button} look="danger" icon={CircleStop} onClick={onClick}>
      Stop
    </Button>
  );
}
