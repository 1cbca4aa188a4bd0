import { ChangedTeamStatus, TeamParams } from '../../../contracts/teams.ts';
import { setTeamStatus } from '../../../services/teams/set-team-status.ts';
import { route } from '../../route.ts';

export const suspendTeam = route(
  {
    operationId: 'suspendTeam',
    method: 'post',
    path: '/api/teams/{team_id}/suspend',
    summary: 'Suspend a team: its key is refused until it is resumed',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: ChangedTeamStatus.meta({
      example: { status: 'suspended', message: "Team 'acme-research' suspended successfully" },
    }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { team_id } = context.params;
    await setTeamStatus(context, team_id, 'suspended');
    return { team_id, status: 'suspended' as const, message: `Team '${team_id}' suspended successfully` };
  },
);
