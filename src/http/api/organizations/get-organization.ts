import { Organization, OrganizationParams } from '../../../contracts/organizations.ts';
import { getOrganizationForCaller } from '../../../services/organizations/read-organizations.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './serialize-organization.ts';

export const getOrganization = route(
  {
    operationId: 'getOrganization',
    method: 'get',
    path: '/api/organizations/{organization_id}',
    summary: 'Read an organization',
    tag: 'Organizations',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: OrganizationParams,
    response: Organization,
    errors: ['key_of_another_organization', 'organization_not_found'],
  },
  async (context) => serializeOrganization(await getOrganizationForCaller(context, context.params.organization_id)),
);
