import { useState } from 'react';
import { useMay, useSession } from '../../api/session.ts';
import type { AdminUser } from '../../api/types.ts';
import { deleteUser, resetSecondFactor, setPassword, updateUser } from '../../api/users.ts';
import { Button } from '../../components/ui/button.tsx';
import { ConfirmDialog } from '../../components/ui/confirm-dialog.tsx';
import { TextField } from '../../components/ui/field.tsx';
import { FormDialog, useRefreshAll } from '../../components/ui/form-dialog.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { mayManage } from './may-manage.ts';
import { roleHints, roles } from './user-filters.ts';
import styles from './users.module.css';

interface EditUserProps {
  user: AdminUser;
  isOwn: boolean;
  onClose: () => void;
}

/** Name, role and state of an account, and buttons to set its password and to delete it. */
export function EditUser({ user, isOwn, onClose }: EditUserProps) {
  const { role: own } = useSession();
  const mayPassword = useMay('users:passwords');
  const refresh = useRefreshAll();
  const [next, setNext] = useState<'password' | 'second factor' | 'delete'>();
  const [name, setName] = useState(user.display_name);
  const [role, setRole] = useState(user.role);
  const [state, setState] = useState<'active' | 'inactive'>(user.is_active ? 'active' : 'inactive');
  if (next === 'password') return <SetPassword user={user} onClose={onClose} />;
  if (next === 'second factor')
    return (
      <ConfirmDialog
        title={`Take the second factor of ${user.display_name} away?`}
        action="Take it away"
        isDangerous
        effects={[
          { what: 'A sign-in needs', before: 'password and code', after: 'password' },
          { what: 'Its sessions', before: 'valid', after: 'ended' },
        ]}
        run={() => resetSecondFactor(user.user_id)}
        done={`Took the second factor of ${user.display_name} away`}
        onClose={onClose}
        onDone={refresh}
      >
        <p>Only for who has lost it: make sure that it is really {user.email} who asks for this.</p>
      </ConfirmDialog>
    );
  if (next === 'delete')
    return (
      <ConfirmDialog
        title={`Delete the account of ${user.display_name}?`}
        action="Delete the account"
        isDangerous
        effects={[
          { what: 'Its sessions', before: 'valid', after: 'ended' },
          { what: 'Its entries in the audit log', before: 'stored', after: 'stored' },
        ]}
        run={() => deleteUser(user.user_id)}
        done={`Deleted the account of ${user.display_name}`}
        onClose={onClose}
        onDone={refresh}
      >
        <p>{user.email} can be used for another account then.</p>
      </ConfirmDialog>
    );
  const was = user.is_active ? 'active' : 'inactive';
  return (
    <FormDialog
      title={`Account of ${user.display_name}`}
      action="Save"
      isComplete={name.trim() !== ''}
      effects={[
        { what: 'Role', before: user.role, after: role },
        { what: 'Status', before: was, after: state },
      ]}
      run={() =>
        updateUser(user.user_id, {
          display_name: name.trim(),
          ...(role !== user.role && { role }),
          ...(state !== was && { is_active: state === 'active' }),
        })
      }
      done={`Changed the account of ${name.trim()}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField label="E-mail" value={user.email} readOnly onChange={() => undefined} />
          <TextField
            label="Name"
            required
            maxLength={255}
            value={name}
            onChange={setName}
            problem={problems.display_name}
          />
          <SelectField
            label="Role"
            value={role}
            options={roles.filter(({ value }) => mayManage(own, value))}
            hint={roleHints[role]}
            problem={problems.role}
            onChange={setRole}
          />
          <SelectField
            label="Status"
            value={state}
            options={[
              { value: 'active', label: 'Active' },
              { value: 'inactive', label: 'Inactive: cannot sign in, and its sessions end' },
            ]}
            onChange={setState}
          />
          <p className={styles.more}>
            {mayPassword && !isOwn && user.signs_in_by === 'password' && (
              <Button onClick={() => setNext('password')}>Set a password</Button>
            )}
            {user.second_factor && !isOwn && (
              <Button onClick={() => setNext('second factor')}>Take the second factor away</Button>
            )}
            <Button
              look="danger"
              unavailable={isOwn && 'You cannot delete your own account'}
              onClick={() => setNext('delete')}
            >
              Delete the account
            </Button>
          </p>
        </>
      )}
    </FormDialog>
  );
}

function SetPassword({ user, onClose }: { user: AdminUser; onClose: () => void }) {
  const [password, setNew] = useState('');
  return (
    <FormDialog
      title={`Password of ${user.display_name}`}
      action="Set the password"
      isComplete={password !== ''}
      effects={[{ what: 'Its sessions', before: 'valid', after: 'ended' }]}
      run={() => setPassword(user.user_id, password)}
      done={`Set the password of ${user.display_name}`}
      onClose={onClose}
    >
      {(problems) => (
        <TextField
          label="New password"
          type="password"
          required
          minLength={8}
          autoComplete="new-password"
          value={password}
          onChange={setNew}
          hint="At least 8 characters"
          problem={problems.new_password}
        />
      )}
    </FormDialog>
  );
}
