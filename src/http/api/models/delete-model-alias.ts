import { Message } from '../../../contracts/fields.ts';
import { ModelAliasParams } from '../../../contracts/model-aliases.ts';
import { deleteModelAlias as remove } from '../../../services/models/delete-model-alias.ts';
import { route } from '../../route.ts';

export const deleteModelAlias = route(
  {
    operationId: 'deleteModelAlias',
    method: 'delete',
    path: '/api/model-aliases/{alias_name}',
    summary: 'Delete a model alias',
    description: 'It leaves the access groups that it is in.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAliasParams,
    response: Message.meta({ example: { message: "Model alias 'report-writer' deleted successfully" } }),
    errors: ['model_alias_not_found'],
  },
  async (context) => {
    const { alias_name } = context.params;
    await remove(context, alias_name);
    return { message: `Model alias '${alias_name}' deleted successfully` };
  },
);
