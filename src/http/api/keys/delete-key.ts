import { Message } from '../../../contracts/fields.ts';
import { TeamKeyParams } from '../../../contracts/keys.ts';
import { deleteKey as remove } from '../../../services/keys/delete-key.ts';
import { route } from '../../route.ts';

export const deleteKey = route(
  {
    operationId: 'deleteTeamKey',
    method: 'delete',
    path: '/api/teams/{team_id}/keys/{key_id}',
    summary: 'Delete a further key of a team: it is refused from then on, and its jobs go on',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: TeamKeyParams,
    response: Message.meta({ example: { message: "Key 'c2f1d6a8-4b0e-4f57-9a35-6d8e1f07b2c4' deleted successfully" } }),
    errors: ['team_not_found', 'key_not_found'],
  },
  async (context) => {
    const { team_id, key_id } = context.params;
    await remove(context, team_id, key_id);
    return { message: `Key '${key_id}' deleted successfully` };
  },
);
