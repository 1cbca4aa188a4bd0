import type { TeamUpdate } from '../../contracts/teams.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { breaks } from '../../db/connection/failures.ts';
import { CreditAccount } from '../../db/entities/credit-account.ts';
import { Team } from '../../db/entities/team.ts';
import { databaseTime } from '../../db/sql/database-clock.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import type { TeamRow } from '../../db/teams/find-team.ts';
import { replaceGroups } from '../../db/teams/replace-groups.ts';
import { recordUpstreamChange } from '../../db/upstream-teams/record-change.ts';
import { refuse } from '../../errors.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';
import { refillTeam } from '../credits/refill-team.ts';
import { getTeamForCaller, requireLockedTeam, requireOwnTeam } from './read-teams.ts';
import { accountChanges, teamChanges } from './team-settings.ts';
import { withGrants } from './with-grants.ts';

/** Changes the settings of a team and its account together. The columns of the balance are never among them. */
export async function updateTeam(context: ServiceContext, team_id: string, change: TeamUpdate): Promise<TeamRow> {
  const { deps } = context;
  await requireOwnTeam(context, team_id);
  const now = await databaseTime(deps.database);
  // Refills that fell due under the old settings are given under them.
  await refillTeam(deps.database, team_id, now);
  await withGrants(deps.database, [], change.access_groups ?? [], ({ accessGroupIds }) =>
    writeChange(context, team_id, { change, now, ...(change.access_groups && { accessGroupIds }) }),
  );
  deps.changes.publish('teams', { team_id });
  const changed = await getTeamForCaller(context, team_id);
  await syncTeams(deps, [team_id]);
  return changed;
}

async function writeChange(
  context: ServiceContext,
  team_id: string,
  { change, now, accessGroupIds }: { change: TeamUpdate; now: Date; accessGroupIds?: string[] },
): Promise<void> {
  try {
    await context.deps.database.transaction(async (entities) => {
      // This lock comes before that of the account, because deductions wait for the latter.
      if (accessGroupIds) await lockChanges(entities, 'model access');
      await requireLockedTeam(entities, team_id);
      const account = await entities.findOneOrFail(CreditAccount, { team_id });
      entities.assign(account, accountChanges(change, account, now));
      entities.assign(await entities.findOneOrFail(Team, { team_id }), teamChanges(change, now));
      await entities.flush();
      if (accessGroupIds) await replaceGroups(entities, team_id, { accessGroupIds });
      else await recordUpstreamChange(entities, team_id);
      await writeAuditEntry(entities, context, {
        action: 'updated_team',
        resource_type: 'team',
        resource_id: team_id,
        details: sentFields(change),
      });
    });
  } catch (error) {
    if (breaks(error, 'fixed_budget_never_negative')) throw refuse('budget_invalid', negative);
    if (breaks(error, 'fixed_budget_covers_reservations')) throw refuse('budget_invalid', reserved);
    throw error;
  }
}

/** The sent fields, without the metadata, which may be large. */
const sentFields = ({ metadata, ...fields }: TeamUpdate): Record<string, unknown> => ({
  ...fields,
  ...(metadata && { metadata: 'replaced' }),
});

const negative = 'The budget cannot be fixed while its balance is less than 0';
const reserved = 'The budget cannot be fixed while its balance is less than the credits that open jobs have reserved';
