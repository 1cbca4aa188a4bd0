import { TeamParams, TeamWithKey } from '../../../contracts/teams.ts';
import { getTeamWithKey } from '../../../services/teams/show-key.ts';
import { route } from '../../route.ts';
import { serializeTeamWithKey } from './serialize-team.ts';

export const getTeam = route(
  {
    operationId: 'getTeam',
    method: 'get',
    path: '/api/teams/{team_id}',
    summary: 'Read a team with its credits and its key',
    description:
      'A team is shown the key of its request, also while that key has a successor; an admin is shown the current key, which is audited. With the cookie of a session only the last four characters of the key are shown.',
    tag: 'Teams',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    secret: true,
    params: TeamParams,
    response: TeamWithKey,
    errors: ['key_of_another_team', 'team_not_found', 'team_has_no_key'],
  },
  async (context) => {
    const { team, virtualKey } = await getTeamWithKey(context, context.params.team_id);
    return serializeTeamWithKey(team, virtualKey);
  },
);
