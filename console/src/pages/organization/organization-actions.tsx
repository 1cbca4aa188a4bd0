import { Ban, Pencil, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { updateOrganization } from '../../api/organizations.ts';
import { useMay } from '../../api/session.ts';
import type { Organization } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { FormDialog, useRefreshAll } from '../../components/form-dialog.tsx';
import { CreateTeam } from '../teams/create-team.tsx';

interface OrganizationProps {
  organization: Organization;
}

export function OrganizationActions({ organization }: OrganizationProps) {
  const [dialog, setDialog] = useState<'team' | 'rename' | 'status'>();
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
        <Button icon={Pencil} onClick={() => setDialog('rename')}>
          Rename
        </Button>
      )}
      {mayWrite && (
        <Button look={isActive ? 'danger' : 'plain'} icon={isActive ? Ban : Play} onClick={() => setDialog('status')}>
          {isActive ? 'Suspend' : 'Activate'}
        </Button>
      )}
      {dialog === 'team' && <CreateTeam organization={organization.organization_id} onClose={close} />}
      {dialog === 'rename' && <Rename organization={organization} onClose={close} />}
      {dialog === 'status' && <ChangeStatus organization={organization} onClose={close} />}
    </>
  );
}

interface DialogProps extends OrganizationProps {
  onClose: () => void;
}

function Rename({ organization, onClose }: DialogProps) {
  const [name, setName] = useState(organization.name);
  return (
    <FormDialog
      title={`Rename ${organization.organization_id}`}
      action="Rename"
      isComplete={name.trim() !== '' && name.trim() !== organization.name}
      run={() => updateOrganization(organization.organization_id, { name: name.trim() })}
      done="Renamed the organization"
      onClose={onClose}
    >
      {(problems) => (
        <TextField label="Name" required maxLength={255} value={name} onChange={setName} problem={problems.name} />
      )}
    </FormDialog>
  );
}

function ChangeStatus({ organization: { organization_id, name, status }, onClose }: DialogProps) {
  const isActive = status === 'active';
  const next = isActive ? 'suspended' : 'active';
  const [answered, refused] = ['answered', 'refused (403)'];
  return (
    <ConfirmDialog
      title={`${isActive ? 'Suspend' : 'Activate'} ${name}?`}
      action={`${isActive ? 'Suspend' : 'Activate'} the organization`}
      isDangerous={isActive}
      effects={[
        { what: 'Status', before: status, after: next },
        {
          what: 'Requests of all its teams',
          before: isActive ? answered : refused,
          after: isActive ? refused : answered,
        },
      ]}
      run={() => updateOrganization(organization_id, { status: next })}
      done={`${name} is ${next}`}
      onClose={onClose}
      onDone={useRefreshAll()}
    />
  );
}
