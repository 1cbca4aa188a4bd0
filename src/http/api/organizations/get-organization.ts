import { Organization, OrganizationParams } from '../../../contracts/organizations.ts';
import { route } from '../../route.ts';
import { getOrganizationForCaller } from './support/get-organization-for-caller.ts';
import { serializeOrganization } from './support/serialize-organization.ts';

export const getOrganization = route(
  {
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
  async ({ deps, caller, params }) =>
    serializeOrganization(await getOrganizationForCaller(deps, caller, params.organization_id)),
);
