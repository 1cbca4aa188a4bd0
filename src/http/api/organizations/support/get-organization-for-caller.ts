import { findOrganization, type OrganizationRow } from '../../../../db/organizations/find-organization.ts';
import { refuse } from '../../../../errors.ts';
import { type Caller, requireOrganization } from '../../../../services/caller.ts';
import type { Deps } from '../../../ports.ts';

/** The organization of the caller's team, or any for an admin; compared before it is looked up. `spec 1.2` */
export async function getOrganizationForCaller(
  deps: Deps,
  caller: Caller,
  organizationId: string,
): Promise<OrganizationRow> {
  requireOrganization(caller, organizationId);
  const organization = await findOrganization(deps.database, organizationId);
  if (!organization) throw refuse('organization_not_found', organizationId);
  return organization;
}
