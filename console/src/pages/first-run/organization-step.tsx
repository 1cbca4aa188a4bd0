import { useState } from 'react';
import { createOrganization } from '../../api/organizations.ts';
import { TextField } from '../../components/ui/field.tsx';
import styles from './first-run.module.css';
import { StepForm } from './step-form.tsx';

export function OrganizationForm() {
  const [name, setName] = useState('My organization');
  const [id, setId] = useState('my-organization');
  return (
    <StepForm
      action="Create the organization"
      isComplete={id.trim() !== '' && name.trim() !== ''}
      run={(key) => createOrganization({ organization_id: id.trim(), name: name.trim() }, key)}
    >
      {(problems) => (
        <div className={styles.fields}>
          <TextField label="Name" maxLength={255} value={name} onChange={setName} problem={problems.name} />
          <TextField
            label="Organization id"
            maxLength={255}
            value={id}
            onChange={setId}
            hint="Used in requests. It cannot be changed later"
            problem={problems.organization_id}
          />
        </div>
      )}
    </StepForm>
  );
}
