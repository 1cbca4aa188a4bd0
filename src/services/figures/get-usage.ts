import { readOrganizationUsage, type UsageOfTeam } from '../../db/figures/read-organization-usage.ts';
import { type JobTypeUsage, readTeamUsage } from '../../db/figures/read-team-usage.ts';
import { monthOf } from '../../domain/time/month.ts';
import type { ServiceContext } from '../context.ts';
import { getOrganizationForCaller } from '../organizations/read-organizations.ts';
import { requireOwnTeam } from '../teams/read-teams.ts';

/** What the jobs of a team took that were created in the month, by job type. */
export async function getTeamUsage(context: ServiceContext, teamId: string, month: string): Promise<JobTypeUsage[]> {
  await requireOwnTeam(context, teamId);
  return readTeamUsage(context.deps.database, teamId, monthOf(month));
}

/** What the jobs of an organization took that were created in the month, by team. */
export async function getOrganizationUsage(
  context: ServiceContext,
  organizationId: string,
  month: string,
): Promise<UsageOfTeam[]> {
  await getOrganizationForCaller(context, organizationId);
  return readOrganizationUsage(context.deps.database, organizationId, monthOf(month));
}
