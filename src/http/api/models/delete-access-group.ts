import { Message } from '../../../contracts/fields.ts';
import { ModelAccessGroupParams } from '../../../contracts/model-access-groups.ts';
import { deleteAccessGroup as remove } from '../../../services/models/delete-access-group.ts';
import { route } from '../../route.ts';

export const deleteAccessGroup = route(
  {
    operationId: 'deleteModelAccessGroup',
    method: 'delete',
    path: '/api/model-access-groups/{group_name}',
    summary: 'Delete a model access group',
    description: 'Its teams no longer reach its aliases, unless they share another group with them.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAccessGroupParams,
    response: Message.meta({ example: { message: "Model access group 'standard' deleted successfully" } }),
    errors: ['access_group_not_found'],
  },
  async (context) => {
    const { group_name } = context.params;
    await remove(context, group_name);
    return { message: `Model access group '${group_name}' deleted successfully` };
  },
);
