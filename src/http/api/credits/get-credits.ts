import { TeamCredits } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { route } from '../../route.ts';
import { getTeamForCaller } from '../teams/support/get-team-for-caller.ts';
import { creditsOf } from '../teams/support/serialize-team.ts';

export const getCredits = route(
  {
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
  async ({ deps, caller, params }) => {
    const team = await getTeamForCaller(deps, caller, params.team_id);
    return { team_id: team.team_id, ...creditsOf(team) };
  },
);
