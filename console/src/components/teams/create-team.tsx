import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accessGroupsQuery, modelGroupsQuery } from '../../api/models.ts';
import { organizationChoicesQuery } from '../../api/organizations.ts';
import { createTeam } from '../../api/teams.ts';
import type { CreatedTeam } from '../../api/types.ts';
import { CheckList } from '../ui/check-list.tsx';
import { TextField } from '../ui/field.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { NewKey } from './new-key.tsx';

/** A new team, and then its key: once, with a line that uses it. */
export function CreateTeam({ organization, onClose }: { organization?: string; onClose: () => void }) {
  const [created, setCreated] = useState<CreatedTeam>();
  if (created)
    return (
      <NewKey
        title={`The team ${created.team_id} is created`}
        team={created}
        virtualKey={created.virtual_key}
        onClose={onClose}
      />
    );
  return <CreateForm organization={organization} onCreated={setCreated} onClose={onClose} />;
}

interface CreateFormProps {
  organization?: string;
  onCreated: (team: CreatedTeam) => void;
  onClose: () => void;
}

function CreateForm({ organization = '', onCreated, onClose }: CreateFormProps) {
  const organizations = useQuery(organizationChoicesQuery).data?.organizations ?? [];
  const groups = useQuery(modelGroupsQuery).data ?? [];
  const accessGroups = useQuery(accessGroupsQuery).data ?? [];
  const [chosen, setChosen] = useState(organization);
  const [teamId, setTeamId] = useState('');
  const [alias, setAlias] = useState('');
  const [credits, setCredits] = useState('');
  const [budget, setBudget] = useState<'fixed' | 'unlimited'>('fixed');
  const [modelGroups, setModelGroups] = useState<string[]>([]);
  const [access, setAccess] = useState<string[]>([]);
  const [proxyId, setProxyId] = useState('');
  const [proxyBudget, setProxyBudget] = useState('');
  const organizationId = chosen || (organizations[0]?.organization_id ?? '');
  const body = {
    organization_id: organizationId,
    team_id: teamId.trim(),
    team_alias: alias.trim() || undefined,
    model_groups: modelGroups,
    access_groups: access,
    proxy_team_id: proxyId.trim() || undefined,
    max_budget: proxyBudget.trim() === '' ? undefined : Number(proxyBudget),
    credits_allocated: Number(credits || 0),
    credit_limit: budget === 'fixed' ? Number(credits || 0) : null,
  };
  return (
    <FormDialog
      title="New team"
      action="Create the team"
      isComplete={organizationId !== '' && body.team_id !== ''}
      run={(key) => createTeam(body, key)}
      done={`Created the team ${body.team_id}`}
      closesWhenDone={false}
      onDone={onCreated}
      onClose={onClose}
    >
      {(problems) => (
        <>
          <SelectField
            label="Organization"
            value={organizationId}
            options={organizations.map(({ organization_id, name }) => ({
              value: organization_id,
              label: name === organization_id ? name : `${name} (${organization_id})`,
            }))}
            problem={problems.organization_id}
            hint={organizations.length === 0 ? 'There is none yet: create an organization first' : undefined}
            onChange={setChosen}
          />
          <TextField
            label="Team id"
            required
            maxLength={255}
            value={teamId}
            onChange={setTeamId}
            hint="Used in requests. It cannot be changed later"
            problem={problems.team_id}
          />
          <TextField label="Name" maxLength={255} value={alias} onChange={setAlias} problem={problems.team_alias} />
          <CheckList
            label="Model groups"
            options={groups.map(({ group_name }) => group_name)}
            values={modelGroups}
            onChange={setModelGroups}
            none="There are none yet: a team without one can make no calls"
          />
          {accessGroups.length > 0 && (
            <CheckList
              label="Access groups"
              options={accessGroups.map(({ group_name }) => group_name)}
              values={access}
              onChange={setAccess}
            />
          )}
          <TextField
            label="Credits to start with"
            type="number"
            min={0}
            step={1}
            inputMode="numeric"
            placeholder="0"
            value={credits}
            onChange={setCredits}
            problem={problems.credits_allocated}
          />
          <SelectField
            label="Budget"
            value={budget}
            options={[
              { value: 'fixed', label: 'Fixed: the balance never falls below 0' },
              { value: 'unlimited', label: 'Unlimited: the balance may become negative' },
            ]}
            onChange={setBudget}
          />
          <details>
            <summary>In the upstream proxy</summary>
            <TextField
              label="Id in the proxy"
              maxLength={255}
              placeholder={teamId.trim() || 'the team id'}
              value={proxyId}
              onChange={setProxyId}
              problem={problems.proxy_team_id}
            />
            <TextField
              label="Budget there, USD"
              type="number"
              min={0}
              step="any"
              placeholder="computed from the credits"
              value={proxyBudget}
              onChange={setProxyBudget}
              problem={problems.max_budget}
            />
          </details>
        </>
      )}
    </FormDialog>
  );
}
