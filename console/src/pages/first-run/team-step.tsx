import { useState } from 'react';
import { createTeam } from '../../api/teams.ts';
import type { CreatedTeam } from '../../api/types.ts';
import { TextField } from '../../components/ui/field.tsx';
import styles from './first-run.module.css';
import { StepForm } from './step-form.tsx';

interface TeamFormProps {
  organizationId: string;
  /** A model group that is there already. */
  group: string | undefined;
  onCreated: (team: CreatedTeam) => void;
}

export function TeamForm({ organizationId, group, onCreated }: TeamFormProps) {
  const [id, setId] = useState('first-team');
  const [credits, setCredits] = useState('100');
  const body = {
    organization_id: organizationId,
    team_id: id.trim(),
    model_groups: group === undefined ? [] : [group],
    credits_allocated: Number(credits || 0),
    credit_limit: Number(credits || 0),
  };
  return (
    <StepForm
      action="Create the team"
      isComplete={body.team_id !== ''}
      run={(key) => createTeam(body, key)}
      onDone={onCreated}
    >
      {(problems) => (
        <div className={styles.fields}>
          <TextField
            label="Team id"
            maxLength={255}
            value={id}
            onChange={setId}
            hint="Used in requests. It cannot be changed later"
            problem={problems.team_id}
          />
          <TextField
            label="Credits to start with"
            type="number"
            min={0}
            step={1}
            inputMode="numeric"
            value={credits}
            onChange={setCredits}
            hint="A job that completes costs one credit"
            problem={problems.credits_allocated}
          />
        </div>
      )}
    </StepForm>
  );
}
