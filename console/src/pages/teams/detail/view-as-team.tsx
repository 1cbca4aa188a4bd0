import { useMutation } from '@tanstack/react-query';
import { ScanEye } from 'lucide-react';
import { viewPath } from '../../../api/base.ts';
import { openView } from '../../../api/team-views.ts';
import type { TeamWithKey } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { addToast } from '../../../components/ui/toast-queue.ts';

/** Opens the console as the team sees it, in this tab. */
export function ViewAsTeam({ team: { team_id, status } }: { team: TeamWithKey }) {
  const mutation = useMutation({
    mutationFn: () => openView(team_id),
    onSuccess: () => window.location.assign(viewPath(team_id)),
    onError: ({ message }) => addToast(message),
  });
  return (
    <Button
      icon={ScanEye}
      disabled={mutation.isPending}
      unavailable={status !== 'active' && 'A suspended team sees nothing'}
      onClick={() => mutation.mutate()}
    >
      View as this team
    </Button>
  );
}
