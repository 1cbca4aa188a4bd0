import type { z } from 'zod';
import type { OrganizationUpdate } from '../../contracts/organizations.ts';
import { auditEntry } from '../../db/audit/write-audit-entry.ts';
import { Organization } from '../../db/entities/organization.ts';
import { changeOrganization, lockOrganization } from '../../db/organizations/update-organization.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';

/** An omitted field is not changed, and neither is one that is null. */
export async function updateOrganization(
  context: ServiceContext,
  organization_id: string,
  { name = null, status = null, metadata = null }: z.output<typeof OrganizationUpdate>,
): Promise<Organization> {
  const { deps, newId } = context;
  const entry = auditEntry(newId('audit'), context, {
    action: 'updated_organization',
    resource_type: 'organization',
    resource_id: organization_id,
    details: {
      ...(name !== null && { name }),
      ...(status && { status }),
      ...(metadata && { metadata: 'replaced' }),
    },
  });
  const { organization, teams } = await deps.database.transaction(async (entities) => {
    // The change comes after the lock, so that it sees a team whose creation it waited for.
    if (!(await lockOrganization(entities, organization_id))) throw refuse('organization_not_found', organization_id);
    const changed = await changeOrganization(entities, organization_id, { name, status, metadata }, entry);
    return { organization: await entities.findOneOrFail(Organization, { organization_id }), teams: changed };
  });
  await applyToTeams(deps, teams);
  return organization;
}
