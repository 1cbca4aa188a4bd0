import { TeamParams, TeamWithKey } from '../../../contracts/teams.ts';
import { route } from '../../route.ts';
import { getTeamForCaller, keyFor } from './get-team-for-caller.ts';
import { serializeTeamWithKey } from './serialize-team.ts';

export const getTeam = route(
  {
    method: 'get',
    path: '/api/teams/{team_id}',
    summary: 'Read a team with its credits and its key',
    description:
      'A team is shown the key of its request, also while that key has a successor; an admin is shown the current key, which is audited.',
    tag: 'Teams',
    auth: ['team', 'admin'],
    limit: 'management',
    secret: true,
    params: TeamParams,
    response: TeamWithKey,
    errors: ['key_of_another_team', 'team_not_found', 'team_has_no_key'],
  },
  async (context) => {
    const { deps, caller, params } = context;
    const team = await getTeamForCaller(deps, caller, params.team_id);
    return serializeTeamWithKey(team, await keyFor(context, team.team_id));
  },
);
