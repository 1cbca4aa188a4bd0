import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../../api/problem.ts';
import { useMay } from '../../../api/session.ts';
import { systemQuery } from '../../../api/system.ts';
import { updateTeam } from '../../../api/teams.ts';
import type { TeamWithKey } from '../../../api/types.ts';
import { Button } from '../../../components/ui/button.tsx';
import { Columns, Section } from '../../../components/ui/detail-page.tsx';
import { Effects } from '../../../components/ui/effects.tsx';
import { FormProblem, TextArea, TextField } from '../../../components/ui/field.tsx';
import { SelectField } from '../../../components/ui/select-field.tsx';
import { addToast } from '../../../components/ui/toast-queue.ts';
import { useRefreshAll } from '../../../components/ui/use-refresh-all.ts';
import { type Setting, settings } from './setting-fields.ts';
import styles from './team.module.css';
import { type Placeholders, retentionDefault, settingEffects, toChanges, toDraft } from './team-settings.ts';

/** The settings of a team. Only what was changed is sent, and shown first as it is now and will be. */
export function SettingsTab({ team }: { team: TeamWithKey }) {
  const mayWrite = useMay('teams:write');
  const refresh = useRefreshAll();
  const defaults = useInstallationDefaults();
  const [draft, setDraft] = useState(() => toDraft(team));
  const changes = toChanges(draft, team);
  const count = Object.keys(changes).length;
  const mutation = useMutation({
    mutationFn: () => updateTeam(team.team_id, changes),
    onSuccess: () => {
      addToast('Changed the settings');
      refresh();
    },
  });
  const problems = mutation.error instanceof Problem ? mutation.error.fields : {};
  const renderFields = (section: Setting['section']) =>
    settings
      .filter((setting) => setting.section === section)
      .map((setting) => (
        <SettingField
          key={setting.name}
          setting={{ ...setting, placeholder: defaults[setting.name] ?? setting.placeholder }}
          value={draft[setting.name]}
          problem={problems[setting.name]}
          onChange={(value) => setDraft((before) => ({ ...before, [setting.name]: value }))}
        />
      ));
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
          <Section title="Team">{renderFields('Team')}</Section>
          <Section title="Credits">{renderFields('Credits')}</Section>
        </Columns>
      </fieldset>
      {count > 0 && (
        <Section title="What changes">
          <Effects lines={settingEffects(draft, team, defaults)} />
        </Section>
      )}
      <FormProblem error={mutation.error} />
      {mayWrite && (
        <p className={styles.save}>
          <Button type="submit" look="primary" unavailable={count === 0 && 'Nothing is changed'}>
            {count === 0 ? 'Save' : count === 1 ? 'Save 1 change' : `Save ${count} changes`}
          </Button>
          <Button disabled={count === 0} onClick={() => setDraft(toDraft(team))}>
            Undo
          </Button>
        </p>
      )}
    </form>
  );
}

/** What holds where a team has no value of its own, as far as it is known here. */
function useInstallationDefaults(): Placeholders {
  const { data } = useQuery({ ...systemQuery, refetchInterval: false });
  return data ? { payload_retention_days: retentionDefault(data.retention.payload_days) } : {};
}

interface SettingFieldProps {
  setting: Setting;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
}

function SettingField({ setting, value, problem, onChange }: SettingFieldProps) {
  const { label, hint, options, placeholder, inputMode, isLong } = setting;
  const shared = { label, hint, problem, value, onChange };
  if (options) return <SelectField {...shared} options={options} />;
  if (isLong) return <TextArea {...shared} rows={4} spellCheck={false} placeholder="{}" />;
  return <TextField {...shared} placeholder={placeholder} inputMode={inputMode} maxLength={inputMode ? 20 : 2_000} />;
}
