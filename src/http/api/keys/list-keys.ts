import { TeamKeyList } from '../../../contracts/keys.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listKeys as list } from '../../../services/keys/list-keys.ts';
import { route } from '../../route.ts';
import { serializeKey } from './serialize-key.ts';

export const listKeys = route(
  {
    operationId: 'listTeamKeys',
    method: 'get',
    path: '/api/teams/{team_id}/keys',
    summary: 'List the further keys of a team, the oldest first',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management', place: 'lists' },
    params: TeamParams,
    response: TeamKeyList,
    errors: ['team_not_found'],
  },
  async (context) => {
    const keys = await list(context, context.params.team_id);
    return { total: keys.length, keys: keys.map(serializeKey) };
  },
);
