import { EndedKeys } from '../../../contracts/keys.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { endPreviousKeys as end } from '../../../services/keys/end-previous-keys.ts';
import { route } from '../../route.ts';

export const endPreviousKeys = route(
  {
    operationId: 'endPreviousKeys',
    method: 'post',
    path: '/api/teams/{team_id}/end-previous-keys',
    summary: 'End at once the keys that serve on after a rotation',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamParams,
    response: EndedKeys,
    errors: ['team_not_found'],
  },
  async (context) => ({ ended: await end(context, context.params.team_id) }),
);
