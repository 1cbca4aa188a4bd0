import type { z } from 'zod';
import type { UpdateModelAlias } from '../../contracts/model-aliases.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelAlias } from '../../db/entities/model-access.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../db/upstream-teams/record-change.ts';
import { withoutPrimary } from '../../domain/model-members.ts';
import { namedFields } from '../../domain/named-fields.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';
import { changedDescription, changedSentFields, toStoredPrices } from './model-fields.ts';
import { requireAccessGroups } from './named-models.ts';

const groupIdsOf = (alias: ModelAlias) => alias.access_groups.getItems().map((group) => group.model_access_group_id);

/** Replaces the named fields of a model alias, arrays as a whole. */
export async function updateModelAlias(
  context: ServiceContext,
  alias_name: string,
  change: z.output<typeof UpdateModelAlias>,
): Promise<ModelAlias> {
  const { deps } = context;
  const changed = await deps.database.transaction(async (entities) => {
    await lockChanges(entities, 'model access');
    const alias = await entities.findOne(ModelAlias, { alias_name }, { populate: ['access_groups'] });
    if (!alias) throw refuse('model_alias_not_found', alias_name);
    const before = groupIdsOf(alias);
    const model_name = change.model_name ?? alias.model_name;
    const fallbacks = withoutPrimary(change.fallbacks ?? alias.fallbacks, model_name);
    entities.assign(alias, {
      ...changedDescription(change),
      ...changedSentFields(change),
      ...namedFields(toStoredPrices(change)),
      model_name,
      fallbacks,
      updated_at: new Date(),
    });
    if (change.access_groups) alias.access_groups.set(await requireAccessGroups(entities, change.access_groups));
    await entities.flush();
    await writeAuditEntry(entities, context, {
      action: 'updated_model_alias',
      resource_type: 'model_alias',
      resource_id: alias_name,
      details: { changed: Object.keys(change), model_name, fallbacks },
    });
    return { alias, teams: await recordChangeOfAccessGroups(entities, [...before, ...groupIdsOf(alias)]) };
  });
  await applyToTeams(deps, changed.teams);
  return changed.alias;
}
