import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import type { AdminUser } from '../../api/types.ts';
import { createUser } from '../../api/users.ts';
import { TextField } from '../../components/field.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { mayManage } from './may-manage.ts';
import { roles } from './user-filters.ts';

/** What each role may do, in short. */
export const roleHints: Record<AdminUser['role'], string> = {
  owner: 'Manages the platform and every account',
  admin: 'Manages the platform, and accounts of the role user',
  user: 'Has only its own account',
};

export function CreateUser({ onClose }: { onClose: () => void }) {
  const { role: own } = useSession();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<AdminUser['role']>(own === 'owner' ? 'admin' : 'user');
  return (
    <FormDialog
      title="New account"
      action="Create the account"
      isComplete={name.trim() !== '' && email.trim() !== '' && password !== ''}
      run={(key) => createUser({ email: email.trim(), display_name: name.trim(), password, role }, key)}
      done={`Created the account of ${name.trim()}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Name"
            required
            maxLength={255}
            autoComplete="off"
            value={name}
            onChange={setName}
            problem={problems.display_name}
          />
          <TextField
            label="E-mail"
            type="email"
            required
            autoComplete="off"
            value={email}
            onChange={setEmail}
            problem={problems.email}
          />
          <TextField
            label="Password"
            type="password"
            required
            minLength={8}
            autoComplete="new-password"
            value={password}
            onChange={setPassword}
            hint="At least 8 characters. It can be changed by its owner after the first sign-in"
            problem={problems.password}
          />
          <SelectField
            label="Role"
            value={role}
            options={roles.filter(({ value }) => mayManage(own, value))}
            hint={roleHints[role]}
            problem={problems.role}
            onChange={setRole}
          />
        </>
      )}
    </FormDialog>
  );
}
