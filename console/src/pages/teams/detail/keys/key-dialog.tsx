import { useState } from 'react';
import { changeTeamKey, createTeamKey } from '../../../../api/keys.ts';
import type { TeamKey, TeamWithKey } from '../../../../api/types.ts';
import { NewKey } from '../../../../components/teams/new-key.tsx';
import { TextField } from '../../../../components/ui/field.tsx';
import { FormDialog } from '../../../../components/ui/form-dialog.tsx';
import { SelectField } from '../../../../components/ui/select-field.tsx';
import { inputToIso, isoToInput } from '../../../../format/zoned-input.ts';
import { useZone } from '../../../../preferences/preferences.ts';
import { resetLabels } from './reset-labels.ts';

interface KeyDialogProps {
  team: TeamWithKey;
  /** Undefined: a new key. */
  of: TeamKey | undefined;
  onClose: () => void;
}

const resets = [
  { value: '', label: 'In all' },
  ...Object.entries(resetLabels).map(([value, label]) => ({ value, label: `So many ${label}` })),
];

const toNumber = (text: string): number | string | null =>
  text.trim() === '' ? null : Number.isFinite(Number(text)) ? Number(text) : text;

/** Makes a further key, which is shown once, or changes its name, its end and its limit. */
export function KeyDialog({ team, of, onClose }: KeyDialogProps) {
  const zone = useZone();
  const [name, setName] = useState(of?.name ?? '');
  const [end, setEnd] = useState(of?.expires_at ? isoToInput(of.expires_at, zone) : '');
  const [limit, setLimit] = useState(of?.credit_limit?.toString() ?? '');
  const [reset, setReset] = useState<string>(of?.limit_reset ?? '');
  const [virtualKey, setVirtualKey] = useState<string>();
  const unchangedEnd = of?.expires_at && end === isoToInput(of.expires_at, zone);
  const body = {
    name: name.trim(),
    ...(!unchangedEnd && { expires_at: end === '' ? null : inputToIso(end, zone) }),
    credit_limit: toNumber(limit),
    limit_reset: reset || null,
  };
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
      isComplete={name.trim() !== ''}
      run={run}
      done={of ? `Changed the key ${name}` : `Made the key ${name}`}
      closesWhenDone={of !== undefined}
      onDone={setVirtualKey}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField label="Name" required maxLength={100} value={name} onChange={setName} problem={problems.name} />
          <TextField
            label="Ends"
            type="datetime-local"
            value={end}
            onChange={setEnd}
            hint={`In the zone ${zone}. Empty: it does not end`}
            problem={problems.expires_at}
          />
          <TextField
            label="Credits that its jobs may take"
            inputMode="numeric"
            maxLength={10}
            value={limit}
            onChange={setLimit}
            hint="Empty: no limit of its own"
            problem={problems.credit_limit}
          />
          <SelectField
            label="The credits count"
            value={reset}
            options={resets}
            onChange={setReset}
            problem={problems.limit_reset}
          />
        </>
      )}
    </FormDialog>
  );
}
