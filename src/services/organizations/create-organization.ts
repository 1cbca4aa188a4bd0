import type { z } from 'zod';
import type { OrganizationCreation } from '../../contracts/organizations.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import type { OrganizationRow } from '../../db/organizations/find-organization.ts';
import { insertOrganization } from '../../db/organizations/insert-organization.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

export async function createOrganization(
  context: ServiceContext,
  { organization_id, name, metadata, proxy_organization_id }: z.output<typeof OrganizationCreation>,
): Promise<OrganizationRow> {
  const entry = auditEntry(context.newId('audit'), context, {
    action: 'created_organization',
    resource_type: 'organization',
    resource_id: organization_id,
    details: { name },
  });
  const organization = {
    organization_id,
    name,
    metadata: metadata ?? {},
    proxy_organization_id: proxy_organization_id ?? null,
  };
  const made = await insertOrganization(context.deps.database, organization, entry);
  if (!made) throw refuse('organization_exists', organization_id);
  return made;
}
