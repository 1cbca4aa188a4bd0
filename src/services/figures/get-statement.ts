import { readStatement } from '../../db/figures/read-statement.ts';
import { findOrganization } from '../../db/organizations/find-organization.ts';
import { monthOf } from '../../domain/time/month.ts';
import type { ServiceContext } from '../context.ts';
import { getTeamForCaller } from '../teams/read-teams.ts';

/** A calendar month of a team: its balances, what changed them, and its jobs. `spec 8.12` */
export async function getStatement(context: ServiceContext, teamId: string, period: string) {
  const { database } = context.deps;
  const team = await getTeamForCaller(context, teamId);
  const month = monthOf(period);
  const [organization, figures] = await Promise.all([
    findOrganization(database, team.organization_id),
    readStatement(database, teamId, month),
  ]);
  return { team, organizationName: organization?.name ?? null, period, month, figures };
}

export type StatementResult = Awaited<ReturnType<typeof getStatement>>;
