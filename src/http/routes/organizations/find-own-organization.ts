import { findOrganization, type OrganizationRow } from '../../../db/queries/find-organization.ts';
import type { Deps } from '../../../deps.ts';
import { refuse } from '../../../errors.ts';
import { type Caller, requireOrganization } from '../../caller.ts';

/** The organization of the caller's team, or any for an admin; compared before it is looked up. `spec 1.2` */
export async function findOwnOrganization(
  deps: Deps,
  caller: Caller,
  organizationId: string,
): Promise<OrganizationRow> {
  requireOrganization(caller, organizationId);
  const organization = await findOrganization(deps.database, organizationId);
  if (!organization) throw refuse('organization_not_found', organizationId);
  return organization;
}
