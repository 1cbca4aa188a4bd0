import { Message } from '../../../contracts/fields.ts';
import { ModelGroupParams } from '../../../contracts/model-groups.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { isForeignKeyViolation } from '../../../db/connection/failures.ts';
import { ModelGroup } from '../../../db/entities/model-group.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';

export const deleteModelGroup = route(
  {
    method: 'delete',
    path: '/api/model-groups/{group_name}',
    summary: 'Delete a model group that no team is assigned',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelGroupParams,
    response: Message,
    errors: ['model_group_not_found', 'model_group_assigned'],
    example: { response: { message: "Model group 'chat-large' deleted successfully" } },
  },
  async (context) => {
    const { deps, params } = context;
    const { group_name } = params;
    await deps.database
      .transaction(async (entities) => {
        const deleted = await entities.nativeDelete(ModelGroup, { group_name });
        if (deleted === 0) throw refuse('model_group_not_found', group_name);
        await writeAuditEntry(entities, context, {
          action: 'deleted_model_group',
          resource_type: 'model_group',
          resource_id: group_name,
        });
      })
      .catch((error: unknown) => {
        // The foreign key of the assignment decides, so that a group is not assigned while it is deleted.
        throw isForeignKeyViolation(error) ? refuse('model_group_assigned', group_name) : error;
      });
    return { message: `Model group '${group_name}' deleted successfully` };
  },
);
