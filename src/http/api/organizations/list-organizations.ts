import type { z } from 'zod';
import { OrganizationInList, OrganizationList, OrganizationListQuery } from '../../../contracts/organizations.ts';
import type { OrganizationRow } from '../../../db/organizations/find-organization.ts';
import {
  listOrganizations as list,
  type OrganizationFigures,
  readOrganizationFigures,
} from '../../../db/organizations/list-organizations.ts';
import { monthOf } from '../../../domain/time/month.ts';
import { nextCursorIfPaged } from '../../next-cursor.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { serializeOrganization } from './support/serialize-organization.ts';

const serializeFigures = ({ organization_id, team_count, total_cost_usd, ...usage }: OrganizationFigures) => ({
  team_count,
  usage: { ...usage, total_cost_usd: Number(total_cost_usd) },
});

async function withFigures(
  { database }: Deps,
  organizations: readonly OrganizationRow[],
  period: string | undefined,
): Promise<z.input<typeof OrganizationInList>[]> {
  if (period === undefined) return organizations.map(serializeOrganization);
  const ids = organizations.map(({ organization_id }) => organization_id);
  const figures = await readOrganizationFigures(database, ids, monthOf(period));
  const byId = new Map(figures.map((one) => [one.organization_id, serializeFigures(one)]));
  return organizations.map((one) => ({ ...serializeOrganization(one), ...byId.get(one.organization_id) }));
}

export const listOrganizations = route(
  {
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
  async ({ deps, query }) => {
    const { counted, rows, next } = await list(deps.database, query);
    const organizations = await withFigures(deps, rows, query.usage_period);
    return { total: counted!.total, organizations, ...nextCursorIfPaged(query, next) };
  },
);
