import { Ban, Coins, Eye, KeyRound, Play, Scale, Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { resumeTeam, suspendTeam } from '../../api/teams.ts';
import type { TeamWithKey } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useRefreshAll } from '../../components/form-dialog.tsx';
import { AdjustDialog, AllocateDialog } from './credit-dialogs.tsx';
import { RefundJobDialog } from './refund-job-dialog.tsx';
import { RevealKey } from './reveal-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type DialogName = 'allocate' | 'adjust' | 'refund' | 'reveal' | 'rotate' | 'suspend' | 'resume';

/** What can be done with a team. What the session may not do is absent. */
export function TeamActions({ team }: { team: TeamWithKey }) {
  const [dialog, setDialog] = useState<DialogName>();
  const mayWrite = useMay('teams:write');
  const mayCredit = useMay('credits:write');
  const mayRefund = useMay('jobs:refund');
  const mayReveal = useMay('teams:reveal-key');
  const close = () => setDialog(undefined);
  return (
    <>
      {mayCredit && (
        <>
          <Button look="primary" icon={Coins} onClick={() => setDialog('allocate')}>
            Allocate
          </Button>
          <Button icon={Scale} onClick={() => setDialog('adjust')}>
            Adjust
          </Button>
        </>
      )}
      {mayRefund && (
        <Button icon={Undo2} onClick={() => setDialog('refund')}>
          Refund
        </Button>
      )}
      {mayReveal && (
        <Button icon={Eye} onClick={() => setDialog('reveal')}>
          Reveal key
        </Button>
      )}
      {mayWrite && (
        <Button icon={KeyRound} onClick={() => setDialog('rotate')}>
          Rotate key
        </Button>
      )}
      {mayWrite &&
        (team.status === 'active' ? (
          <Button look="danger" icon={Ban} onClick={() => setDialog('suspend')}>
            Suspend
          </Button>
        ) : (
          <Button icon={Play} onClick={() => setDialog('resume')}>
            Resume
          </Button>
        ))}
      {dialog === 'allocate' && <AllocateDialog team={team} onClose={close} />}
      {dialog === 'adjust' && <AdjustDialog team={team} onClose={close} />}
      {dialog === 'refund' && <RefundJobDialog team={team} onClose={close} />}
      {dialog === 'reveal' && <RevealKey teamId={team.team_id} onClose={close} />}
      {dialog === 'rotate' && <RotateKey team={team} onClose={close} />}
      {dialog === 'suspend' && <SuspendDialog team={team} onClose={close} />}
      {dialog === 'resume' && <ResumeDialog team={team} onClose={close} />}
    </>
  );
}

interface StatusDialogProps {
  team: TeamWithKey;
  onClose: () => void;
}

function SuspendDialog({ team: { team_id }, onClose }: StatusDialogProps) {
  return (
    <ConfirmDialog
      title={`Suspend ${team_id}?`}
      action="Suspend the team"
      isDangerous
      effects={[
        { what: 'Status', before: 'active', after: 'suspended' },
        { what: 'Requests with its key', before: 'answered', after: 'refused (403)' },
        { what: 'Its sessions here', before: 'valid', after: 'ended' },
      ]}
      run={(_, key) => suspendTeam(team_id, key)}
      done={`${team_id} is suspended`}
      onClose={onClose}
      onDone={useRefreshAll()}
    >
      <p>Until it is resumed. Its key, its credits and its settings stay.</p>
    </ConfirmDialog>
  );
}

function ResumeDialog({ team: { team_id }, onClose }: StatusDialogProps) {
  return (
    <ConfirmDialog
      title={`Resume ${team_id}?`}
      action="Resume the team"
      effects={[
        { what: 'Status', before: 'suspended', after: 'active' },
        { what: 'Requests with its key', before: 'refused (403)', after: 'answered' },
      ]}
      run={(_, key) => resumeTeam(team_id, key)}
      done={`${team_id} is active`}
      onClose={onClose}
      onDone={useRefreshAll()}
    />
  );
}
