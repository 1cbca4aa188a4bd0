import { Organization, OrganizationParams, OrganizationUpdate } from '../../../contracts/organizations.ts';
import { updateOrganization as update } from '../../../services/organizations/update-organization.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './serialize-organization.ts';

export const updateOrganization = route(
  {
    operationId: 'updateOrganization',
    method: 'put',
    path: '/api/organizations/{organization_id}',
    summary: 'Change an organization',
    description: 'While it is suspended or deleted, the keys of its teams are refused.',
    tag: 'Organizations',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: OrganizationParams,
    body: { schema: OrganizationUpdate.meta({ example: { name: 'Acme International Inc.' } }) },
    response: Organization.meta({ example: { name: 'Acme International Inc.' } }),
    errors: ['organization_not_found'],
  },
  async (context) => serializeOrganization(await update(context, context.params.organization_id, context.body)),
);
