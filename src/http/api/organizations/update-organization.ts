import { Organization, OrganizationParams, OrganizationUpdate } from '../../../contracts/organizations.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { updateOrganization as update } from '../../../db/organizations/update-organization.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './support/serialize-organization.ts';

export const updateOrganization = route(
  {
    method: 'put',
    path: '/api/organizations/{organization_id}',
    summary: 'Change an organization',
    description: 'While it is suspended or deleted, the keys of its teams are refused.',
    tag: 'Organizations',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: OrganizationParams,
    body: { schema: OrganizationUpdate },
    response: Organization,
    errors: ['organization_not_found'],
    example: { body: { name: 'Acme International Inc.' }, response: { name: 'Acme International Inc.' } },
  },
  async (context) => {
    const { deps, params, body, newId } = context;
    const { name = null, status = null, metadata = null } = body;
    const details = {
      ...(name !== null && { name }),
      ...(status && { status }),
      ...(metadata && { metadata: 'replaced' }),
    };
    const entry = auditEntry(newId('audit'), context, {
      action: 'updated_organization',
      resource_type: 'organization',
      resource_id: params.organization_id,
      details,
    });
    const changed = await update(deps.database, params.organization_id, { name, status, metadata }, entry);
    await syncTeams(deps, changed.teams);
    return serializeOrganization(changed.organization);
  },
);
