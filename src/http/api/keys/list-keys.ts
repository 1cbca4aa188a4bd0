import { TeamKeyList } from '../../../contracts/keys.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listKeys as list } from '../../../services/keys/list-keys.ts';
import { route } from '../../route.ts';
import { serializeFirstKey, serializeKey } from './serialize-key.ts';

export const listKeys = route(
  {
    operationId: 'listTeamKeys',
    method: 'get',
    path: '/api/teams/{team_id}/keys',
    summary: 'List the keys of a team: its first one, those before it that serve on, and its further keys',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management', place: 'lists' },
    params: TeamParams,
    response: TeamKeyList,
    errors: ['team_not_found'],
  },
  async (context) => {
    const { furtherKeys, firstKeys } = await list(context, context.params.team_id);
    return {
      total: furtherKeys.length,
      keys: furtherKeys.map(serializeKey),
      first_keys: firstKeys.map(serializeFirstKey),
    };
  },
);
