import { CreatedTeamKey, TeamKeyCreation } from '../../../contracts/keys.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { createKey as create } from '../../../services/keys/create-key.ts';
import { route } from '../../route.ts';

export const createKey = route(
  {
    operationId: 'createTeamKey',
    method: 'post',
    path: '/api/teams/{team_id}/keys',
    summary: 'Give a team a further key',
    description:
      'The key, which only this answer shows, may do what the first key of the team may. With a `credit_limit`, a job is created with it ' +
      'only while what its jobs were charged since the last reset, what its open jobs are expected to take, and what the new one is ' +
      'expected to take, are at most the limit. A team has at most 100 further keys.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    secret: true,
    params: TeamParams,
    body: { schema: TeamKeyCreation.meta({ example: { credit_limit: 500, limit_reset: 'monthly' } }) },
    response: CreatedTeamKey.meta({ example: { expires_at: null, limit_reset: 'monthly' } }),
    errors: ['team_not_found', 'key_exists', 'keys_at_most'],
  },
  async (context) => {
    const { key, virtualKey } = await create(context, context.params.team_id, context.body);
    const { key_id, name, expires_at, credit_limit, limit_reset, created_at } = key;
    return {
      key_id,
      name,
      expires_at: expires_at?.toISOString() ?? null,
      credit_limit: credit_limit ?? null,
      limit_reset: limit_reset ?? null,
      created_at: created_at.toISOString(),
      virtual_key: virtualKey,
    };
  },
);
