import { findOrganization, type OrganizationRow } from '../../db/organizations/find-organization.ts';
import {
  listOrganizations as list,
  type OrganizationFigures,
  type OrganizationSelection,
  readOrganizationFigures,
} from '../../db/organizations/list-organizations.ts';
import { listTeamIds } from '../../db/teams/list-teams.ts';
import { monthOf } from '../../domain/time/month.ts';
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

/** A page of organizations, the oldest first. Those of a page have their figures if a month is given. */
export async function listOrganizations(
  { deps }: Reading,
  { usage_period, ...selection }: OrganizationSelection & { usage_period?: string | undefined },
) {
  const { counted, rows, next } = await list(deps.database, selection);
  const figures = new Map<string, OrganizationFigures>();
  if (usage_period !== undefined) {
    const ids = rows.map(({ organization_id }) => organization_id);
    const found = await readOrganizationFigures(deps.database, ids, monthOf(usage_period));
    for (const one of found) figures.set(one.organization_id, one);
  }
  return { counted, rows, next, figures };
}

/** The ids of the teams of an organization, the oldest first. */
export async function listTeamsOfOrganization(context: Reading, organizationId: string): Promise<string[]> {
  await getOrganizationForCaller(context, organizationId);
  return listTeamIds(context.deps.database, organizationId);
}
