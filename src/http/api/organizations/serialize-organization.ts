import type { z } from 'zod';
import type { Organization, OrganizationInList } from '../../../contracts/organizations.ts';
import type { OrganizationRow } from '../../../db/organizations/find-organization.ts';
import type { OrganizationFigures } from '../../../db/organizations/list-organizations.ts';

export const serializeOrganization = (
  row: Omit<OrganizationRow, 'proxy_organization_id'>,
): z.input<typeof Organization> => ({
  organization_id: row.organization_id,
  name: row.name,
  status: row.status,
  metadata: row.metadata,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const serializeFigures = ({ organization_id, team_count, total_cost_usd, ...usage }: OrganizationFigures) => ({
  team_count,
  usage: { ...usage, total_cost_usd: Number(total_cost_usd) },
});

/** The organization with its figures, where the request has asked for those of a month. */
export const serializeListedOrganization = (
  row: OrganizationRow,
  figures?: OrganizationFigures,
): z.input<typeof OrganizationInList> => ({
  ...serializeOrganization(row),
  ...(figures && serializeFigures(figures)),
});
