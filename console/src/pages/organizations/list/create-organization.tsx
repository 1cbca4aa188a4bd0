import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createOrganization } from '../../../api/organizations.ts';
import { TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';

export function CreateOrganization({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [id, setId] = useState('');
  const [name, setName] = useState('');
  return (
    <FormDialog
      title="New organization"
      action="Create the organization"
      isComplete={id.trim() !== '' && name.trim() !== ''}
      run={(key) => createOrganization({ organization_id: id.trim(), name: name.trim() }, key)}
      done={`Created the organization ${id.trim()}`}
      onDone={({ organization_id }) =>
        void navigate({ to: '/organizations/$organizationId', params: { organizationId: organization_id } })
      }
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Organization id"
            required
            maxLength={255}
            value={id}
            onChange={setId}
            hint="Used in requests. It cannot be changed later"
            problem={problems.organization_id}
          />
          <TextField label="Name" required maxLength={255} value={name} onChange={setName} problem={problems.name} />
        </>
      )}
    </FormDialog>
  );
}
