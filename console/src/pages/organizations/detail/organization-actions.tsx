import { Ban, Pencil, Play, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { updateOrganization } from '../../../api/organizations.ts';
import { useMay } from '../../../api/session.ts';
import type { Organization } from '../../../api/types.ts';
import { CreateTeam } from '../../../components/teams/create-team.tsx';
import { Button } from '../../../components/ui/button.tsx';
import { ConfirmDialog } from '../../../components/ui/confirm-dialog.tsx';
import { TextArea, TextField } from '../../../components/ui/field.tsx';
import { FormDialog } from '../../../components/ui/form-dialog.tsx';
import { useRefreshAll } from '../../../components/ui/use-refresh-all.ts';
import { metadataText, parseMetadata } from '../../../format/metadata.ts';

interface OrganizationProps {
  organization: Organization;
}

export function OrganizationActions({ organization }: OrganizationProps) {
  const [dialog, setDialog] = useState<'team' | 'edit' | 'delete' | 'status'>();
  const mayWrite = useMay('organizations:write');
  const mayWriteTeams = useMay('teams:write');
  const isActive = organization.status === 'active';
  const close = () => setDialog(undefined);
  return (
    <>
      {mayWriteTeams && (
        <Button
          look="primary"
          icon={Plus}
          unavailable={!isActive && 'The organization is not active'}
          onClick={() => setDialog('team')}
        >
          New team
        </Button>
      )}
      {mayWrite && (
        <Button icon={Pencil} onClick={() => setDialog('edit')}>
          Edit
        </Button>
      )}
      {mayWrite && (
        <Button look={isActive ? 'danger' : 'plain'} icon={isActive ? Ban : Play} onClick={() => setDialog('status')}>
          {isActive ? 'Suspend' : 'Activate'}
        </Button>
      )}
      {mayWrite && organization.status !== 'deleted' && (
        <Button look="danger" icon={Trash2} onClick={() => setDialog('delete')}>
          Delete
        </Button>
      )}
      {dialog === 'team' && <CreateTeam organization={organization.organization_id} onClose={close} />}
      {dialog === 'edit' && <Edit organization={organization} onClose={close} />}
      {dialog === 'status' && (
        <ChangeStatus organization={organization} next={isActive ? 'suspended' : 'active'} onClose={close} />
      )}
      {dialog === 'delete' && <ChangeStatus organization={organization} next="deleted" onClose={close} />}
    </>
  );
}

interface DialogProps extends OrganizationProps {
  onClose: () => void;
}

function Edit({ organization, onClose }: DialogProps) {
  const stored = metadataText(organization.metadata);
  const [name, setName] = useState(organization.name);
  const [metadata, setMetadata] = useState(stored);
  const changes = {
    ...(name.trim() !== organization.name && { name: name.trim() }),
    ...(metadata !== stored && { metadata: parseMetadata(metadata) }),
  };
  return (
    <FormDialog
      title={`Edit ${organization.organization_id}`}
      action="Save"
      isComplete={name.trim() !== '' && Object.keys(changes).length > 0}
      run={() => updateOrganization(organization.organization_id, changes)}
      done="Changed the organization"
      onClose={onClose}
    >
      {(problems) => (
        <>
          <TextField label="Name" required maxLength={255} value={name} onChange={setName} problem={problems.name} />
          <TextArea
            label="Metadata"
            rows={4}
            spellCheck={false}
            placeholder="{}"
            hint="A JSON object, stored with the organization"
            value={metadata}
            onChange={setMetadata}
            problem={problems.metadata}
          />
        </>
      )}
    </FormDialog>
  );
}

const verbs = { active: 'Activate', suspended: 'Suspend', deleted: 'Delete' } as const;

const requestsIn = (status: Organization['status']): string => (status === 'active' ? 'answered' : 'refused (403)');

function ChangeStatus({ organization, next, onClose }: DialogProps & { next: Organization['status'] }) {
  const { organization_id, name, status } = organization;
  return (
    <ConfirmDialog
      title={`${verbs[next]} ${name}?`}
      action={`${verbs[next]} the organization`}
      isDangerous={next !== 'active'}
      effects={[
        { what: 'Status', before: status, after: next },
        { what: 'Requests of all its teams', before: requestsIn(status), after: requestsIn(next) },
        {
          what: 'Sessions of its teams here',
          before: 'as they are',
          after: next === 'active' ? 'as they are' : 'ended',
        },
      ]}
      run={() => updateOrganization(organization_id, { status: next })}
      done={`${name} is ${next}`}
      onClose={onClose}
      onDone={useRefreshAll()}
    >
      {next === 'deleted' && <p>Its teams, jobs and ledger stay, and it can be activated again.</p>}
    </ConfirmDialog>
  );
}
