import { findOrganization, type OrganizationRow } from '../../db/organizations/find-organization.ts';
import { refuse } from '../../errors.ts';
import { requireOrganization } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

type Reading = Pick<ServiceContext, 'deps' | 'caller'>;

/** The organization of the caller's team, or any for an admin; compared before it is looked up. `spec 1.2` */
export async function getOrganizationForCaller(
  { deps, caller }: Reading,
  organizationId: string,
): Promise<OrganizationRow> {
  requireOrganization(caller, organizationId);
  const organization = await findOrganization(deps.database, organizationId);
  if (!organization) throw refuse('organization_not_found', organizationId);
  return organization;
}
