import {
  ModelAccessGroupParams,
  ModelAccessGroupResponse,
  UpdateModelAccessGroup,
} from '../../../contracts/model-access-groups.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelAccessGroup } from '../../../db/entities/model-access.ts';
import { findModelAliases } from '../../../db/models/find-named-models.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../../db/upstream-teams/record-change.ts';
import { namedFields } from '../../../domain/named-fields.ts';
import { refuse } from '../../../errors.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';
import { serializeAccessGroup } from './support/serialize-access-group.ts';

export const updateAccessGroup = route(
  {
    method: 'put',
    path: '/api/model-access-groups/{group_name}',
    summary: 'Change a model access group',
    description: 'Named fields are replaced, `model_aliases` as a whole; omitted fields are not changed.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAccessGroupParams,
    body: { schema: UpdateModelAccessGroup },
    response: ModelAccessGroupResponse,
    errors: ['access_group_not_found', 'model_alias_not_found'],
    example: { body: { model_aliases: ['report-writer'] } },
  },
  async (context) => {
    const { deps, params, body } = context;
    const { group_name } = params;
    const changed = await deps.database.transaction(async (entities) => {
      await lockChanges(entities, 'model access');
      const group = await entities.findOne(ModelAccessGroup, { group_name }, { populate: ['aliases'] });
      if (!group) throw refuse('access_group_not_found', group_name);
      const { display_name, description, model_aliases } = body;
      const named = namedFields({ display_name, description, status: body.status ?? undefined });
      entities.assign(group, { ...named, updated_at: new Date() });
      if (model_aliases) group.aliases.set(await findModelAliases(entities, model_aliases));
      await entities.flush();
      await writeAuditEntry(entities, context, {
        action: 'updated_model_access_group',
        resource_type: 'model_access_group',
        resource_id: group_name,
        details: { changed: Object.keys(body), model_aliases },
      });
      const teams = await recordChangeOfAccessGroups(entities, [group.model_access_group_id]);
      return { teams, response: await serializeAccessGroup(entities, group) };
    });
    await syncTeams(deps, changed.teams);
    return changed.response;
  },
);
