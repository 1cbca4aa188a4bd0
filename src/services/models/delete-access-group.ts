import { LockMode } from '@mikro-orm/core';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelAccessGroup } from '../../db/entities/model-access.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../db/upstream-teams/record-change.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';

/** Deletes an access group. Its teams no longer reach its aliases, unless they share another group with them. */
export async function deleteAccessGroup(context: ServiceContext, group_name: string): Promise<void> {
  const { deps } = context;
  const teams = await deps.database.transaction(async (entities) => {
    await lockChanges(entities, 'model access');
    const group = await entities.findOne(ModelAccessGroup, { group_name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!group) throw refuse('access_group_not_found', group_name);
    // This is read before they are deleted: afterwards it is unknown which teams had the group.
    const had = await recordChangeOfAccessGroups(entities, [group.model_access_group_id]);
    await entities.nativeDelete(ModelAccessGroup, { group_name });
    await writeAuditEntry(entities, context, {
      action: 'deleted_model_access_group',
      resource_type: 'model_access_group',
      resource_id: group_name,
      details: { teams: had },
    });
    return had;
  });
  await applyToTeams(deps, teams);
}
