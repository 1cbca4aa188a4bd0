import { Team, TeamParams, TeamUpdate } from '../../../contracts/teams.ts';
import { updateTeam as update } from '../../../services/teams/update-team.ts';
import { route } from '../../route.ts';
import { serializeTeam } from './serialize-team.ts';

export const updateTeam = route(
  {
    operationId: 'updateTeam',
    method: 'put',
    path: '/api/teams/{team_id}',
    summary: 'Change the settings of a team',
    description: 'Omitted fields are not changed. Balances change through credit transactions, never here.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    body: {
      schema: TeamUpdate.meta({
        example: { auto_refill: true, refill_amount: 100, refill_period: 'monthly', rpm_limit: 120 },
      }),
    },
    response: Team.meta({ example: { refill_amount: 100 } }),
    errors: ['team_not_found', 'access_group_not_found', 'budget_invalid'],
  },
  async (context) => serializeTeam(await update(context, context.params.team_id, context.body)),
);
