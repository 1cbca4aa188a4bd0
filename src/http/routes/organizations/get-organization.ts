import { Organization, OrganizationParams } from '../../../contracts/organizations.ts';
import { route } from '../../route.ts';
import { findOwnOrganization } from './find-own-organization.ts';
import { showOrganization } from './show-organization.ts';

export const getOrganization = route(
  {
    method: 'get',
    path: '/api/organizations/{organization_id}',
    summary: 'Read an organization',
    tag: 'Organizations',
    auth: ['team', 'admin'],
    limit: 'management',
    params: OrganizationParams,
    response: Organization,
    errors: ['key_of_another_organization', 'organization_not_found'],
  },
  async ({ deps, caller, params }) => showOrganization(await findOwnOrganization(deps, caller, params.organization_id)),
);
