import { Message } from '../../../contracts/fields.ts';
import { ModelAliasParams } from '../../../contracts/model-aliases.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelAlias } from '../../../db/entities/model-access.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../../db/upstream-teams/record-change.ts';
import { refuse } from '../../../errors.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';

export const deleteModelAlias = route(
  {
    method: 'delete',
    path: '/api/model-aliases/{alias_name}',
    summary: 'Delete a model alias',
    description: 'It leaves the access groups that it is in.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAliasParams,
    response: Message,
    errors: ['model_alias_not_found'],
    example: { response: { message: "Model alias 'report-writer' deleted successfully" } },
  },
  async (context) => {
    const { deps, params } = context;
    const { alias_name } = params;
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
    await syncTeams(deps, teams);
    return { message: `Model alias '${alias_name}' deleted successfully` };
  },
);
