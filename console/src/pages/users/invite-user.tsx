import { useState } from 'react';
import { inviteUser } from '../../api/invitations.ts';
import { useSession } from '../../api/session.ts';
import type { InvitationWithLink } from '../../api/types.ts';
import { TextField } from '../../components/ui/field.tsx';
import { FormDialog } from '../../components/ui/form-dialog.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { type Role, roleHints, roles } from '../../components/users/roles.ts';
import { InvitationLink } from './invitation-link.tsx';
import { mayManage } from './may-manage.ts';

/** Invites somebody by e-mail and role, then shows the link. */
export function InviteUser({ onClose }: { onClose: () => void }) {
  const { role: own } = useSession();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>(own === 'owner' ? 'admin' : 'user');
  const [made, setMade] = useState<InvitationWithLink>();
  if (made) return <InvitationLink invitation={made} onClose={onClose} />;
  return (
    <FormDialog
      title="Invite somebody"
      action="Make the link"
      isComplete={email.trim() !== ''}
      run={() => inviteUser({ email: email.trim(), role })}
      done={`Invited ${email.trim()}`}
      closesWhenDone={false}
      onDone={setMade}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="E-mail"
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={setEmail}
            hint="They will sign in with it"
            problem={problems.email}
          />
          <SelectField
            label="Role"
            value={role}
            options={roles.filter(({ value }) => mayManage(own, value))}
            hint={roleHints[role]}
            problem={problems.role}
            onChange={setRole}
          />
          <p className="muted">You pass the link on yourself: the gateway sends no mail.</p>
        </>
      )}
    </FormDialog>
  );
}
