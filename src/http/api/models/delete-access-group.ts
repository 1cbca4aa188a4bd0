import { LockMode } from '@mikro-orm/core';
import { Message } from '../../../contracts/fields.ts';
import { ModelAccessGroupParams } from '../../../contracts/model-access-groups.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelAccessGroup } from '../../../db/entities/model-access.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../../db/upstream-teams/record-change.ts';
import { refuse } from '../../../errors.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';

export const deleteAccessGroup = route(
  {
    method: 'delete',
    path: '/api/model-access-groups/{group_name}',
    summary: 'Delete a model access group',
    description: 'Its teams no longer reach its aliases, unless they share another group with them.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAccessGroupParams,
    response: Message,
    errors: ['access_group_not_found'],
    example: { response: { message: "Model access group 'standard' deleted successfully" } },
  },
  async (context) => {
    const { deps, params } = context;
    const { group_name } = params;
    const teams = await deps.database.transaction(async (entities) => {
      await lockChanges(entities, 'model access');
      const group = await entities.findOne(ModelAccessGroup, { group_name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!group) throw refuse('access_group_not_found', group_name);
      // Before they are deleted: afterwards it is unknown which teams had the group.
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
    await syncTeams(deps, teams);
    return { message: `Model access group '${group_name}' deleted successfully` };
  },
);
