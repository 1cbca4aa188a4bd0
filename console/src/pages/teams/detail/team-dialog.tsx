import type { TeamWithKey } from '../../../api/types.ts';
import { AdjustDialog, AllocateDialog } from './credit-dialogs.tsx';
import { EraseUser } from './erase-user.tsx';
import { RefundByIdDialog } from './refund-by-id-dialog.tsx';
import { RevealKey } from './reveal-key.tsx';
import { RotateKey } from './rotate-key.tsx';
import { ResumeDialog, SuspendDialog } from './status-dialogs.tsx';

export type DialogName = 'allocate' | 'adjust' | 'refund' | 'reveal' | 'rotate' | 'erase' | 'suspend' | 'resume';

interface TeamDialogProps {
  name: DialogName;
  team: TeamWithKey;
  onClose: () => void;
}

/** The dialog of an action, loaded with the first one that opens. */
export function TeamDialog({ name, team, onClose }: TeamDialogProps) {
  switch (name) {
    case 'allocate':
      return <AllocateDialog team={team} onClose={onClose} />;
    case 'adjust':
      return <AdjustDialog team={team} onClose={onClose} />;
    case 'refund':
      return <RefundByIdDialog team={team} onClose={onClose} />;
    case 'reveal':
      return <RevealKey teamId={team.team_id} onClose={onClose} />;
    case 'rotate':
      return <RotateKey team={team} onClose={onClose} />;
    case 'erase':
      return <EraseUser team={team} onClose={onClose} />;
    case 'suspend':
      return <SuspendDialog team={team} onClose={onClose} />;
    case 'resume':
      return <ResumeDialog team={team} onClose={onClose} />;
  }
}
