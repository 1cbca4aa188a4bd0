import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelAlias } from '../../db/entities/model-access.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../db/upstream-teams/record-change.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';

/** Deletes a model alias, which leaves the access groups that it is in. */
export async function deleteModelAlias(context: ServiceContext, alias_name: string): Promise<void> {
  const { deps } = context;
  const teams = await deps.database.transaction(async (entities) => {
    await lockChanges(entities, 'model access');
    const alias = await entities.findOne(ModelAlias, { alias_name }, { populate: ['access_groups'] });
    if (!alias) throw refuse('model_alias_not_found', alias_name);
    const groupIds = alias.access_groups.getItems().map((group) => group.model_access_group_id);
    await entities.nativeDelete(ModelAlias, { alias_name });
    await writeAuditEntry(entities, context, {
      action: 'deleted_model_alias',
      resource_type: 'model_alias',
      resource_id: alias_name,
    });
    return recordChangeOfAccessGroups(entities, groupIds);
  });
  await applyToTeams(deps, teams);
}
