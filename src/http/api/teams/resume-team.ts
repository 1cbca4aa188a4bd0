import { ChangedTeamStatus, TeamParams } from '../../../contracts/teams.ts';
import { route } from '../../route.ts';
import { setStatus } from './support/set-status.ts';

export const resumeTeam = route(
  {
    method: 'post',
    path: '/api/teams/{team_id}/resume',
    summary: 'Resume a suspended team',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: ChangedTeamStatus,
    errors: ['team_not_found'],
    example: { response: { status: 'active', message: "Team 'acme-research' resumed successfully" } },
  },
  async (context) => setStatus(context, 'active'),
);
