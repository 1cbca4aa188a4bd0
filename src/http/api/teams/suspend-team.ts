import { ChangedTeamStatus, TeamParams } from '../../../contracts/teams.ts';
import { route } from '../../route.ts';
import { setStatus } from './support/set-status.ts';

export const suspendTeam = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/suspend',
    summary: 'Suspend a team: its key is refused until it is resumed',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: ChangedTeamStatus,
    errors: ['team_not_found'],
    example: { response: { status: 'suspended', message: "Team 'acme-research' suspended successfully" } },
  },
  async (context) => setStatus(context, 'suspended'),
);
