import { ModelsOfTeam } from '../../../contracts/team-models.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listModelsOfTeam } from '../../../services/models/list-callable-models.ts';
import { route } from '../../route.ts';

export const listModels = route(
  {
    operationId: 'listModelsOfTeam',
    method: 'get',
    path: '/api/teams/{team_id}/models',
    summary: 'List the names that a team can call, with what they accept',
    tag: 'Teams',
    access: { audience: ['team', 'admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: ModelsOfTeam,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => {
    const { team_id } = context.params;
    const models = await listModelsOfTeam(context, team_id);
    return { team_id, models: models.map(({ created_at, ...model }) => model) };
  },
);
