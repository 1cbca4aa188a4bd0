import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { isForeignKeyViolation } from '../../db/connection/failures.ts';
import { ModelGroup } from '../../db/entities/model-group.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';

/** Deletes a model group that no team is assigned. */
export async function deleteModelGroup(context: ServiceContext, group_name: string): Promise<void> {
  await context.deps.database
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
}
