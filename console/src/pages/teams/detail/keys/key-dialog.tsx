import { useState } from 'react';
import { changeTeamKey, createTeamKey } from '../../../../api/keys.ts';
import type { TeamKey, TeamWithKey } from '../../../../api/types.ts';
import { NewKey } from '../../../../components/teams/new-key.tsx';
import { TextField } from '../../../../components/ui/field.tsx';
import { FormDialog } from '../../../../components/ui/form-dialog.tsx';
import { SelectField } from '../../../../components/ui/select-field.tsx';
import { useZone } from '../../../../preferences/preferences.ts';
import { type KeyDraft, keyEffects, resets, toBody, toDraft } from './key-draft.ts';

interface KeyDialogProps {
  team: TeamWithKey;
  /** Undefined: a new key. */
  of: TeamKey | undefined;
  onClose: () => void;
}

/** Makes a further key, which is shown once, or changes its name, its end and its limit. */
export function KeyDialog({ team, of, onClose }: KeyDialogProps) {
  const zone = useZone();
  const [before] = useState(() => toDraft(of, zone));
  const [draft, setDraft] = useState(before);
  const change = (part: Partial<KeyDraft>) => setDraft({ ...draft, ...part });
  const [virtualKey, setVirtualKey] = useState<string>();
  const name = draft.name.trim();
  const body = toBody(before, draft, zone);
  const effects = of ? keyEffects(before, draft) : [];
  if (virtualKey)
    return (
      <NewKey title={`${team.team_id} has the key ${name}`} team={team} virtualKey={virtualKey} onClose={onClose} />
    );
  const run = async (idempotencyKey: string): Promise<string | undefined> => {
    if (!of) return (await createTeamKey(team.team_id, body, idempotencyKey)).virtual_key;
    await changeTeamKey(team.team_id, of.key_id, body);
    return undefined;
  };
  return (
    <FormDialog
      title={of ? `Change the key ${of.name}` : `New key of ${team.team_id}`}
      action={of ? 'Save the key' : 'Make the key'}
      isComplete={name !== '' && (!of || effects.length > 0)}
      effects={effects.length > 0 ? effects : undefined}
      run={run}
      done={of ? `Changed the key ${name}` : `Made the key ${name}`}
      closesWhenDone={of !== undefined}
      onDone={setVirtualKey}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField
            label="Name"
            required
            maxLength={100}
            value={draft.name}
            onChange={(name) => change({ name })}
            problem={problems.name}
          />
          <TextField
            label="Ends"
            type="datetime-local"
            value={draft.end}
            onChange={(end) => change({ end })}
            hint={`In the zone ${zone}. Empty: it does not end`}
            problem={problems.expires_at}
          />
          <TextField
            label="Credits that its jobs may take"
            inputMode="numeric"
            maxLength={10}
            value={draft.limit}
            onChange={(limit) => change({ limit })}
            hint="Empty: no limit of its own"
            problem={problems.credit_limit}
          />
          <SelectField
            label="The credits count"
            value={draft.reset}
            options={resets}
            onChange={(reset) => change({ reset })}
            problem={problems.limit_reset}
          />
        </>
      )}
    </FormDialog>
  );
}
