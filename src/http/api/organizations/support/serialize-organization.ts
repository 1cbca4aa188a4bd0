import type { z } from 'zod';
import type { Organization } from '../../../../contracts/organizations.ts';
import type { OrganizationRow } from '../../../../db/organizations/find-organization.ts';

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
