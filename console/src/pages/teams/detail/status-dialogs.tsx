import { resumeTeam, suspendTeam } from '../../../api/teams.ts';
import type { TeamWithKey } from '../../../api/types.ts';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { useRefreshAll } from '../../../components/ui/use-refresh-all.ts';

interface StatusDialogProps {
  team: TeamWithKey;
  onClose: () => void;
}

export function SuspendDialog({ team: { team_id }, onClose }: StatusDialogProps) {
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

export function ResumeDialog({ team: { team_id }, onClose }: StatusDialogProps) {
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
