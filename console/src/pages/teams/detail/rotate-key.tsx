import { useState } from 'react';
import { rotateKey } from '../../../api/teams.ts';
import type { RotatedKey, TeamWithKey } from '../../../api/types.ts';
import { NewKey } from '../../../components/teams/new-key.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { SelectField } from '../../../components/ui/select-field.tsx';
import { Time } from '../../../components/ui/time.tsx';

const hour = 3_600;
const graces = [
  { value: '0', label: 'None: it ends at once' },
  { value: String(hour), label: '1 hour' },
  { value: String(24 * hour), label: '1 day' },
  { value: String(7 * 24 * hour), label: '7 days' },
];

/** A new key. The previous one is accepted for as long as the receivers need to change it. */
export function RotateKey({ team, onClose }: { team: TeamWithKey; onClose: () => void }) {
  const [grace, setGrace] = useState(String(24 * hour));
  const [rotated, setRotated] = useState<RotatedKey>();
  const label = graces.find(({ value }) => value === grace)?.label;
  if (rotated)
    return (
      <NewKey title={`${team.team_id} has a new key`} team={team} virtualKey={rotated.virtual_key} onClose={onClose}>
        <p>
          The previous key is refused from <Time at={rotated.previous_key_expires_at} /> on.
        </p>
      </NewKey>
    );
  return (
    <FormDialog
      title={`Rotate the key of ${team.team_id}`}
      action="Make a new key"
      isDangerous={grace === '0'}
      effects={[
        { what: 'New key', before: 'none', after: 'accepted at once' },
        {
          what: 'Current key',
          before: 'accepted',
          after: grace === '0' ? 'refused at once' : `refused after ${label}`,
        },
        { what: 'Its sessions here', before: 'valid', after: grace === '0' ? 'ended' : `end after ${label}` },
      ]}
      run={(key) => rotateKey(team.team_id, Number(grace), key)}
      done="Made a new key"
      closesWhenDone={false}
      onDone={setRotated}
      onClose={onClose}
    >
      {(problems) => (
        <SelectField
          label="Grace period of the current key"
          value={grace}
          options={graces}
          onChange={setGrace}
          problem={problems.grace_seconds}
        />
      )}
    </FormDialog>
  );
}
