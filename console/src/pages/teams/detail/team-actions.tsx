import { Ban, Coins, Eye, KeyRound, Play, Scale, Undo2, UserX } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '../../../api/session.ts';
import type { TeamWithKey } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import type { DialogName } from './team-dialog.tsx';
import { ViewAsTeam } from './view-as-team.tsx';

const TeamDialog = lazy(() => import('./team-dialog.tsx').then(({ TeamDialog }) => ({ default: TeamDialog })));

/** What can be done with a team. What the session may not do is absent. */
export function TeamActions({ team }: { team: TeamWithKey }) {
  const [dialog, setDialog] = useState<DialogName>();
  const mayWrite = useMay('teams:write');
  const mayCredit = useMay('credits:write');
  const mayRefund = useMay('jobs:refund');
  const mayReveal = useMay('teams:reveal-key');
  const mayView = useMay('teams:view-as');
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
      {mayView && <ViewAsTeam team={team} />}
      {mayReveal && (
        <Button icon={Eye} onClick={() => setDialog('reveal')}>
          Reveal key
        </Button>
      )}
      {mayWrite && (
        <>
          <Button icon={KeyRound} onClick={() => setDialog('rotate')}>
            Rotate key
          </Button>
          <Button icon={UserX} onClick={() => setDialog('erase')}>
            Erase a user
          </Button>
        </>
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
      {dialog && (
        <Suspense>
          <TeamDialog name={dialog} team={team} onClose={() => setDialog(undefined)} />
        </Suspense>
      )}
    </>
  );
}
