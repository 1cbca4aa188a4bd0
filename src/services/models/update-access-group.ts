import type { z } from 'zod';
import type { UpdateModelAccessGroup } from '../../contracts/model-access-groups.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelAccessGroup } from '../../db/entities/model-access.ts';
import { type AccessGroupWithTeams, withTeams } from '../../db/models/read-access-groups.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../db/upstream-teams/record-change.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';
import { changedDescription } from './model-fields.ts';
import { requireModelAliases } from './named-models.ts';

/** Replaces the named fields of an access group, its aliases as a whole. */
export async function updateAccessGroup(
  context: ServiceContext,
  group_name: string,
  change: z.output<typeof UpdateModelAccessGroup>,
): Promise<AccessGroupWithTeams> {
  const { deps } = context;
  const { group, affected } = await deps.database.transaction(async (entities) => {
    await lockChanges(entities, 'model access');
    const found = await entities.findOne(ModelAccessGroup, { group_name }, { populate: ['aliases'] });
    if (!found) throw refuse('access_group_not_found', group_name);
    const { model_aliases } = change;
    entities.assign(found, { ...changedDescription(change), updated_at: new Date() });
    if (model_aliases) found.aliases.set(await requireModelAliases(entities, model_aliases));
    await entities.flush();
    await writeAuditEntry(entities, context, {
      action: 'updated_model_access_group',
      resource_type: 'model_access_group',
      resource_id: group_name,
      details: { changed: Object.keys(change), model_aliases },
    });
    const teams = await recordChangeOfAccessGroups(entities, [found.model_access_group_id]);
    const [changed] = await withTeams(entities, [found]);
    return { group: changed!, affected: teams };
  });
  await applyToTeams(deps, affected);
  return group;
}
