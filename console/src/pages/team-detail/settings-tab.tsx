import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../api/problem.ts';
import { useMay } from '../../api/session.ts';
import { updateTeam } from '../../api/teams.ts';
import type { TeamWithKey } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Columns, Section } from '../../components/detail-page.tsx';
import { FormProblem, TextField } from '../../components/field.tsx';
import { useRefreshAll } from '../../components/form-dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { addToast } from '../../components/toast-queue.ts';
import styles from './team-detail.module.css';
import { changesOf, draftOf, type SettingsDraft } from './team-settings.ts';

/** The settings of a team. Only what was changed is sent. */
export function SettingsTab({ team }: { team: TeamWithKey }) {
  const mayWrite = useMay('teams:write');
  const refresh = useRefreshAll();
  const [draft, setDraft] = useState(() => draftOf(team));
  const changes = changesOf(draft, team);
  const count = Object.keys(changes).length;
  const mutation = useMutation({
    mutationFn: () => updateTeam(team.team_id, changes),
    onSuccess: () => {
      addToast('Changed the settings');
      refresh();
    },
  });
  const problems = mutation.error instanceof Problem ? mutation.error.fields : {};
  const text = (name: keyof SettingsDraft) => ({
    value: draft[name],
    onChange: (value: string) => setDraft((before) => ({ ...before, [name]: value })),
  });
  const choice = <Name extends keyof SettingsDraft>(name: Name) => ({
    value: draft[name],
    onChange: (value: SettingsDraft[Name]) => setDraft((before) => ({ ...before, [name]: value })),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (count > 0) mutation.mutate();
      }}
    >
      <fieldset className={styles.settings} disabled={!mayWrite}>
        <legend className="visually-hidden">Settings of the team</legend>
        <Columns>
          <Section title="Team">
            <TextField label="Name" maxLength={255} problem={problems.team_alias} {...text('team_alias')} />
            <TextField
              label="LLM calls a minute"
              inputMode="numeric"
              placeholder="default of the installation"
              problem={problems.rpm_limit}
              {...text('rpm_limit')}
            />
            <TextField
              label="Tokens a minute"
              inputMode="numeric"
              placeholder="default of the installation"
              problem={problems.tpm_limit}
              {...text('tpm_limit')}
            />
            <SelectField
              label="Calls without a job (OpenAI interface)"
              options={[
                { value: 'single', label: 'Each is a job of its own' },
                { value: 'refuse', label: 'Refused' },
              ]}
              {...choice('jobless_calls')}
            />
            <TextField
              label="Task of a call (OpenAI interface)"
              hint="In this order, with commas: header:<name>, body:user, body:session_id, body:metadata.<key>"
              problem={problems.job_key_from}
              {...text('job_key_from')}
            />
          </Section>
          <Section title="Credits">
            <TextField
              label="Credit limit"
              inputMode="numeric"
              placeholder="unlimited"
              hint="A number makes the budget fixed: the balance never falls below 0. Empty: unlimited"
              problem={problems.credit_limit}
              {...text('credit_limit')}
            />
            <SelectField
              label="A job costs"
              options={[
                { value: 'job_based', label: 'One credit' },
                { value: 'consumption_usd', label: 'Its cost in USD times credits per dollar' },
                { value: 'consumption_tokens', label: 'Its tokens divided by tokens per credit' },
              ]}
              {...choice('budget_mode')}
            />
            <TextField
              label="Credits per dollar"
              inputMode="decimal"
              placeholder="default of the installation"
              problem={problems.credits_per_dollar}
              {...text('credits_per_dollar')}
            />
            <TextField
              label="Tokens per credit"
              inputMode="numeric"
              placeholder="default of the installation"
              problem={problems.tokens_per_credit}
              {...text('tokens_per_credit')}
            />
            <SelectField
              label="With a fixed budget and no credit left"
              options={[
                { value: 'allow', label: 'Jobs are created and not charged' },
                { value: 'block', label: 'No job can be created' },
              ]}
              {...choice('low_balance_policy')}
            />
            <SelectField
              label="Automatic refill"
              options={[
                { value: 'off', label: 'Off' },
                { value: 'on', label: 'On' },
              ]}
              problem={problems.auto_refill}
              {...choice('auto_refill')}
            />
            <TextField
              label="Credits of a refill"
              inputMode="numeric"
              placeholder="none"
              problem={problems.refill_amount}
              {...text('refill_amount')}
            />
            <SelectField
              label="Time between refills"
              options={[
                { value: '', label: 'None' },
                { value: 'daily', label: '24 hours' },
                { value: 'weekly', label: '7 days' },
                { value: 'monthly', label: 'A month' },
              ]}
              problem={problems.refill_period}
              {...choice('refill_period')}
            />
          </Section>
        </Columns>
      </fieldset>
      <FormProblem error={mutation.error} />
      {mayWrite && (
        <p className={styles.save}>
          <Button type="submit" look="primary" unavailable={count === 0 && 'Nothing is changed'}>
            {count === 0 ? 'Save' : count === 1 ? 'Save 1 change' : `Save ${count} changes`}
          </Button>
          <Button disabled={count === 0} onClick={() => setDraft(draftOf(team))}>
            Undo
          </Button>
        </p>
      )}
    </form>
  );
}
