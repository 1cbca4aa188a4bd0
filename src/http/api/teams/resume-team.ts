import { ChangedTeamStatus, TeamParams } from '../../../contracts/teams.ts';
import { setTeamStatus } from '../../../services/teams/set-team-status.ts';
import { route } from '../../route.ts';

export const resumeTeam = route(
  {
    operationId: 'resumeTeam',
    method: 'post',
    path: '/api/teams/{team_id}/resume',
    summary: 'Resume a suspended team',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: ChangedTeamStatus.meta({
      example: { status: 'active', message: "Team 'acme-research' resumed successfully" },
    }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { team_id } = context.params;
    await setTeamStatus(context, team_id, 'active');
    return { team_id, status: 'active' as const, message: `Team '${team_id}' resumed successfully` };
  },
);
