import { Team, TeamParams, TeamUpdate } from '../../../contracts/teams.ts';
import { refillTeam } from '../../../db/credits/refill-team.ts';
import { databaseTime } from '../../../db/sql/database-clock.ts';
import { withGrants } from '../../../db/teams/resolve-grants.ts';
import { updateTeam as update } from '../../../db/teams/update-team.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';
import { getTeamForCaller, requireOwnTeam } from './support/get-team-for-caller.ts';
import { serializeTeam } from './support/serialize-team.ts';
import { accountChanges, teamChanges } from './support/team-settings.ts';

export const updateTeam = route(
  {
    method: 'put',
    path: '/api/teams/{team_id}',
    summary: 'Change the settings of a team',
    description: 'Omitted fields are not changed. Balances change through credit transactions, never here.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: { schema: TeamUpdate },
    response: Team,
    errors: ['team_not_found', 'access_group_not_found', 'budget_invalid'],
    example: {
      body: { auto_refill: true, refill_amount: 100, refill_period: 'monthly', rpm_limit: 120 },
      response: { refill_amount: 100 },
    },
  },
  async (context) => {
    const { deps, caller, params, body } = context;
    const { team_id } = params;
    await requireOwnTeam(deps, caller, team_id);
    const now = await databaseTime(deps.database);
    // Refills that fell due under the old settings are given under them.
    await refillTeam(deps.database, team_id, now);
    await withGrants(deps.database, [], body.access_groups ?? [], ({ accessGroupIds }) =>
      update(deps.database, context, team_id, {
        team: teamChanges(body, now),
        account: (account) => accountChanges(body, account, now),
        ...(body.access_groups && { accessGroupIds }),
        details: detailsOf(body),
      }),
    );
    deps.changes.publish('teams', { team_id });
    const changed = await getTeamForCaller(deps, caller, team_id);
    await syncTeams(deps, [team_id]);
    return serializeTeam(changed);
  },
);

/** The sent fields, without the metadata, which may be large. */
function detailsOf({ metadata, ...fields }: TeamUpdate): Record<string, unknown> {
  return { ...fields, ...(metadata && { metadata: 'replaced' }) };
}
