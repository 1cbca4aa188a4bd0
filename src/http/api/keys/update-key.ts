import { TeamKey, TeamKeyParams, TeamKeyUpdate } from '../../../contracts/keys.ts';
import { changeKey } from '../../../services/keys/change-key.ts';
import { route } from '../../route.ts';
import { serializeKey } from './serialize-key.ts';

export const updateKey = route(
  {
    operationId: 'updateTeamKey',
    method: 'patch',
    path: '/api/teams/{team_id}/keys/{key_id}',
    summary: 'Change a further key of a team',
    description: 'Omitted fields are not changed. Null removes the end, the limit or its reset.',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamKeyParams,
    body: { schema: TeamKeyUpdate.meta({ example: { credit_limit: 500 } }) },
    response: TeamKey,
    errors: ['team_not_found', 'key_not_found', 'key_exists'],
  },
  async (context) => {
    const { team_id, key_id } = context.params;
    return serializeKey(await changeKey(context, team_id, key_id, context.body));
  },
);
