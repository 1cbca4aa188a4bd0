import { OrganizationInList, OrganizationList, OrganizationListQuery } from '../../../contracts/organizations.ts';
import { listOrganizations as list } from '../../../services/organizations/read-organizations.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import { route } from '../../route.ts';
import { serializeListedOrganization } from './serialize-organization.ts';

export const listOrganizations = route(
  {
    operationId: 'listOrganizations',
    method: 'get',
    path: '/api/organizations',
    summary: 'List organizations, the oldest first',
    tag: 'Organizations',
    access: { audience: ['admin'] },
    query: OrganizationListQuery,
    limits: { rate: 'management', place: 'lists' },
    response: OrganizationList,
    csv: { name: 'organizations', row: OrganizationInList, rows: ({ organizations }) => organizations },
  },
  async (context) => {
    const { query } = context;
    const { counted, rows, next, figures } = await list(context, query);
    return {
      total: counted!.total,
      organizations: rows.map((row) => serializeListedOrganization(row, figures.get(row.organization_id))),
      ...nextCursorIfPaged(query, next),
    };
  },
);
