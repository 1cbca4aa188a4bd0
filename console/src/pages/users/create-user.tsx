import { useState } from 'react';
import { useSession } from '../../api/session.ts';
import type { AdminUser } from '../../api/types.ts';
import { createUser } from '../../api/users.ts';
import { FormDialog } from '../../components/ui/form-dialog.tsx';
import { SelectField } from '../../components/ui/select-field.tsx';
import { AccountFields, accountBody, isWholeAccount, noAccount } from '../../components/users/account-fields.tsx';
import { roleHints, roles } from '../../components/users/roles.ts';
import { mayManage } from './may-manage.ts';

export function CreateUser({ onClose }: { onClose: () => void }) {
  const { role: own } = useSession();
  const [draft, setDraft] = useState(noAccount);
  const [role, setRole] = useState<AdminUser['role']>(own === 'owner' ? 'admin' : 'user');
  return (
    <FormDialog
      title="New account"
      action="Create the account"
      isComplete={isWholeAccount(draft)}
      run={(key) => createUser({ ...accountBody(draft), role }, key)}
      done={`Created the account of ${draft.name.trim()}`}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <AccountFields draft={draft} onChange={setDraft} problems={problems} isOwn={false} />
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
