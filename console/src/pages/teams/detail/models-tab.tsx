import { useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { accessGroupsQuery, modelGroupsQuery } from '../../../api/models.ts';
import { useMay } from '../../../api/session.ts';
import { setModelGroups, updateTeam } from '../../../api/teams.ts';
import type { TeamWithKey } from '../../../api/types.ts';
import { NameList } from '../../../components/models/name-list.tsx';
import { ResolveModel } from '../../../components/models/resolve-model.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { CheckList } from '../../../components/ui/check-list.tsx';
import { Columns, None, Section, Stack } from '../../../components/ui/detail-page.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';

/** Which models the team reaches, by which names, and a dry run of it. */
export function ModelsTab({ team }: { team: TeamWithKey }) {
  const [dialog, setDialog] = useState<'groups' | 'access'>();
  const mayWrite = useMay('teams:write');
  const change = (which: 'groups' | 'access') =>
    mayWrite && (
      <Button look="quiet" icon={Pencil} onClick={() => setDialog(which)}>
        Change
      </Button>
    );
  return (
    <Stack>
      <Columns>
        <Section title="Model groups" aside={change('groups')}>
          {team.model_groups.length === 0 ? (
            <None>None: only aliases can be called.</None>
          ) : (
            <NameList kind="groups" names={team.model_groups} />
          )}
        </Section>
        <Section title="Access groups" aside={change('access')}>
          {team.access_groups.length === 0 ? (
            <None>None: no alias can be called.</None>
          ) : (
            <NameList kind="access" names={team.access_groups} />
          )}
        </Section>
      </Columns>
      <Section title="What a call would use">
        <ResolveModel teamId={team.team_id} />
      </Section>
      {dialog === 'groups' && <ChangeGroups team={team} onClose={() => setDialog(undefined)} />}
      {dialog === 'access' && <ChangeAccess team={team} onClose={() => setDialog(undefined)} />}
    </Stack>
  );
}

interface ChangeProps {
  team: TeamWithKey;
  onClose: () => void;
}

const listed = (names: readonly string[]): string => names.join(', ') || 'none';

function ChangeGroups({ team, onClose }: ChangeProps) {
  const known = useQuery(modelGroupsQuery).data ?? [];
  const [names, setNames] = useState(team.model_groups);
  return (
    <FormDialog
      title={`Model groups of ${team.team_id}`}
      action="Change"
      effects={[{ what: 'Model groups', before: listed(team.model_groups), after: listed(names) }]}
      run={() => setModelGroups(team.team_id, names)}
      done="Changed the model groups"
      onClose={onClose}
    >
      {() => (
        <CheckList
          label="Model groups"
          options={known.map(({ group_name }) => group_name)}
          values={names}
          onChange={setNames}
        />
      )}
    </FormDialog>
  );
}

function ChangeAccess({ team, onClose }: ChangeProps) {
  const known = useQuery(accessGroupsQuery).data ?? [];
  const [names, setNames] = useState(team.access_groups);
  return (
    <FormDialog
      title={`Access groups of ${team.team_id}`}
      action="Change"
      effects={[{ what: 'Access groups', before: listed(team.access_groups), after: listed(names) }]}
      run={() => updateTeam(team.team_id, { access_groups: names })}
      done="Changed the access groups"
      onClose={onClose}
    >
      {() => (
        <CheckList
          label="Access groups"
          options={known.map(({ group_name }) => group_name)}
          values={names}
          onChange={setNames}
        />
      )}
    </FormDialog>
  );
}
