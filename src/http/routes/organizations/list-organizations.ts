import { OrganizationList, OrganizationListQuery } from '../../../contracts/organizations.ts';
import { listOrganizations as list } from '../../../db/organizations/list-organizations.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './support/serialize-organization.ts';

export const listOrganizations = route(
  {
    method: 'get',
    path: '/api/organizations',
    summary: 'List organizations, the oldest first',
    tag: 'Organizations',
    auth: ['admin'],
    quota: 'lists',
    limit: 'management',
    query: OrganizationListQuery,
    response: OrganizationList,
  },
  async ({ deps, query }) => {
    const { total, rows } = await list(deps.database, query);
    return { total, organizations: rows.map(serializeOrganization) };
  },
);
