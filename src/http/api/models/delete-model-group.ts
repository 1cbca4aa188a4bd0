import { Message } from '../../../contracts/fields.ts';
import { ModelGroupParams } from '../../../contracts/model-groups.ts';
import { deleteModelGroup as remove } from '../../../services/models/delete-model-group.ts';
import { route } from '../../route.ts';

export const deleteModelGroup = route(
  {
    operationId: 'deleteModelGroup',
    method: 'delete',
    path: '/api/model-groups/{group_name}',
    summary: 'Delete a model group that no team is assigned',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelGroupParams,
    response: Message.meta({ example: { message: "Model group 'chat-large' deleted successfully" } }),
    errors: ['model_group_not_found', 'model_group_assigned'],
  },
  async (context) => {
    const { group_name } = context.params;
    await remove(context, group_name);
    return { message: `Model group '${group_name}' deleted successfully` };
  },
);
