import { CreatedTeam, TeamCreation } from '../../../contracts/teams.ts';
import { createTeam as create } from '../../../services/teams/create-team.ts';
import { route } from '../../route.ts';

export const createTeam = route(
  {
    operationId: 'createTeam',
    method: 'post',
    path: '/api/teams/create',
    summary: 'Create a team with its credits, its model groups and its key',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    secret: true,
    body: { schema: TeamCreation.meta({ example: { team_alias: 'Research', credits_allocated: 5 } }) },
    response: CreatedTeam.meta({
      example: {
        allowed_models: ['openai/gpt-4o'],
        credits_remaining: 5,
        message: "Team 'acme-research' created successfully",
      },
    }),
    errors: [
      'organization_not_found',
      'organization_not_active',
      'model_group_not_found',
      'access_group_not_found',
      'team_exists',
      'proxy_team_exists',
      'upstream_registration_failed',
    ],
  },
  async (context) => {
    const { team, allowedModels, virtualKey } = await create(context, context.body);
    return {
      ...team,
      allowed_models: allowedModels,
      virtual_key: virtualKey,
      message: `Team '${team.team_id}' created successfully`,
    };
  },
);
