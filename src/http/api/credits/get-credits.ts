import { TeamCredits } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { getTeamForCaller } from '../../../services/teams/read-teams.ts';
import { route } from '../../route.ts';
import { serializeTeam } from '../teams/serialize-team.ts';

export const getCredits = route(
  {
    operationId: 'getTeamCredits',
    method: 'get',
    path: '/api/teams/{team_id}/credits',
    summary: 'Read the credits of a team',
    tag: 'Credits',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: TeamCredits,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => serializeTeam(await getTeamForCaller(context, context.params.team_id)),
);
