import { Organization, OrganizationParams } from '../../../contracts/organizations.ts';
import { findOrganization } from '../../../db/queries/find-organization.ts';
import { refuse } from '../../../errors.ts';
import { requireOrganization } from '../../caller.ts';
import { route } from '../../route.ts';
import { organizationAnswer } from './organization-answer.ts';

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
  async ({ deps, caller, params }) => {
    requireOrganization(caller, params.organization_id);
    const organization = await findOrganization(deps.database, params.organization_id);
    if (!organization) throw refuse('organization_not_found', params.organization_id);
    return organizationAnswer(organization);
  },
);
