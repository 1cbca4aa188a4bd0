import type { z } from 'zod';
import type { CreateModelAlias } from '../../contracts/model-aliases.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelAlias } from '../../db/entities/model-access.ts';
import { createOnce } from '../../db/sql/create-once.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../db/upstream-teams/record-change.ts';
import { withoutPrimary } from '../../domain/model-members.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';
import { descriptionOf, toSentFields, toStoredPrices } from './model-fields.ts';
import { requireAccessGroups } from './named-models.ts';

/** Creates a model alias. A request that is executed again finds the alias that it has created. */
export async function createModelAlias(
  context: ServiceContext,
  creation: z.output<typeof CreateModelAlias>,
): Promise<ModelAlias> {
  const { deps } = context;
  const { alias_name, model_name } = creation;
  const group_names = creation.access_groups ?? [];
  const model_alias_id = context.newId('model_alias');
  const create = () =>
    deps.database.transaction(async (entities) => {
      await lockChanges(entities, 'model access');
      const groups = await requireAccessGroups(entities, group_names);
      const alias = entities.create(ModelAlias, {
        model_alias_id,
        alias_name,
        model_name,
        ...descriptionOf(creation),
        fallbacks: withoutPrimary(creation.fallbacks ?? [], model_name),
        ...toSentFields(creation),
        ...toStoredPrices(creation),
        access_groups: groups,
      });
      await entities.persist(alias).flush();
      await writeAuditEntry(entities, context, {
        action: 'created_model_alias',
        resource_type: 'model_alias',
        resource_id: alias_name,
        details: { model_name, fallbacks: alias.fallbacks, access_groups: group_names },
      });
      const groupIds = groups.map((group) => group.model_access_group_id);
      return { alias, teams: await recordChangeOfAccessGroups(entities, groupIds) };
    });
  const findOwn = async () => {
    const alias = await deps.database
      .entities()
      .findOne(ModelAlias, { model_alias_id }, { populate: ['access_groups'] });
    return alias && { alias, teams: [] };
  };
  const created = await createOnce(create, findOwn);
  if (!created) throw refuse('model_alias_exists', alias_name);
  await applyToTeams(deps, created.teams);
  return created.alias;
}
