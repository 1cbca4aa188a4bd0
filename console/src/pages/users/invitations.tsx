import { useMutation, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { invitationsQuery, renewInvitation, withdrawInvitation } from '../../api/invitations.ts';
import { useMay, useSession } from '../../api/session.ts';
import type { Invitation, InvitationWithLink } from '../../api/types.ts';
import { Button } from '../../components/ui/button.tsx';
import { Status } from '../../components/ui/status.tsx';
import type { Column } from '../../components/ui/table/column.ts';
import { DataTable } from '../../components/ui/table/data-table.tsx';
import { Time } from '../../components/ui/time.tsx';
import { addToast } from '../../components/ui/toast-queue.ts';
import { useRefreshAll } from '../../components/ui/use-refresh-all.ts';
import { mayManage } from './may-manage.ts';
import styles from './users.module.css';

const InvitationLink = lazy(() =>
  import('./invitation-link.tsx').then(({ InvitationLink }) => ({ default: InvitationLink })),
);
const ConfirmDialog = lazy(() =>
  import('../../components/ui/confirm-dialog.tsx').then(({ ConfirmDialog }) => ({ default: ConfirmDialog })),
);

interface Actions {
  mayChange: (invitation: Invitation) => boolean;
  onRenew: (invitation: Invitation) => void;
  onWithdraw: (invitation: Invitation) => void;
}

const columnsWith = ({ mayChange, onRenew, onWithdraw }: Actions): Column<Invitation>[] => [
  {
    id: 'status',
    header: 'Status',
    width: 104,
    from: 720,
    cell: ({ is_open }) => <Status of={is_open ? 'invited' : 'expired'} />,
  },
  { id: 'email', header: 'Invited', isAlways: true, cell: ({ email }) => email },
  { id: 'role', header: 'Role', width: 80, from: 720, cell: ({ role }) => role },
  { id: 'by', header: 'By', from: 1024, cell: ({ invited_by_name }) => invited_by_name },
  { id: 'ends', header: 'Link ends', width: 150, from: 720, cell: ({ expires_at }) => <Time at={expires_at} /> },
  {
    id: 'actions',
    header: 'Change',
    width: 190,
    align: 'end',
    isAlways: true,
    cell: (invitation) =>
      mayChange(invitation) ? (
        <span className={styles.rowActions}>
          <Button look="quiet" title="Make a new link" onClick={() => onRenew(invitation)}>
            Renew
          </Button>
          <Button look="quiet" onClick={() => onWithdraw(invitation)}>
            Withdraw
          </Button>
        </span>
      ) : (
        <span className="muted">an owner may</span>
      ),
  },
];

/** Who is invited and has no account yet. Nothing is shown where nobody is. */
export function Invitations() {
  const { role: own } = useSession();
  const mayWrite = useMay('users:write');
  const refresh = useRefreshAll();
  const query = useQuery(invitationsQuery);
  const [made, setMade] = useState<InvitationWithLink>();
  const [withdrawn, setWithdrawn] = useState<Invitation>();
  const renewal = useMutation({
    mutationFn: ({ invitation_id }: Invitation) => renewInvitation(invitation_id),
    gcTime: 0,
    onSuccess: (invitation) => {
      setMade(invitation);
      refresh();
    },
    onError: ({ message }) => addToast(message),
  });
  const rows = query.data ?? [];
  const columns = columnsWith({
    mayChange: ({ role }) => mayWrite && mayManage(own, role),
    onRenew: renewal.mutate,
    onWithdraw: setWithdrawn,
  });
  return (
    <>
      {rows.length > 0 && (
        <section className={styles.invitations} aria-label="Invitations">
          <DataTable
            id="invitations"
            label="Invitations"
            isFlat
            columns={columns}
            rows={rows}
            rowId={({ invitation_id }) => invitation_id}
            state={query}
            empty={null}
          />
        </section>
      )}
      <Suspense>
        {made && <InvitationLink invitation={made} onClose={() => setMade(undefined)} />}
        {withdrawn && (
          <ConfirmDialog
            title={`Withdraw the invitation of ${withdrawn.email}?`}
            action="Withdraw it"
            isDangerous
            effects={[{ what: 'The link', before: withdrawn.is_open ? 'works once' : 'expired', after: 'ended' }]}
            run={() => withdrawInvitation(withdrawn.invitation_id)}
            done={`Withdrew the invitation of ${withdrawn.email}`}
            onClose={() => setWithdrawn(undefined)}
            onDone={refresh}
          />
        )}
      </Suspense>
    </>
  );
}
