import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { NewMember, UpdateModelGroup } from '../../contracts/model-groups.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import { ModelGroup, ModelGroupMember } from '../../db/entities/model-group.ts';
import { recordChangeOfModelGroup } from '../../db/upstream-teams/record-change.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { applyToTeams } from '../teams/apply-to-teams.ts';
import { changedDescription, changedSentFields, memberRows } from './model-fields.ts';

/** Replaces the named fields of a model group, its members as a whole. */
export async function updateModelGroup(
  context: ServiceContext,
  group_name: string,
  change: z.output<typeof UpdateModelGroup>,
): Promise<ModelGroup> {
  const { deps } = context;
  const { group, teams } = await deps.database.transaction(async (entities) => {
    const found = await entities.findOne(ModelGroup, { group_name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!found) throw refuse('model_group_not_found', group_name);
    entities.assign(found, {
      ...changedDescription(change),
      ...changedSentFields(change),
      updated_at: new Date(),
    });
    await entities.flush();
    if (change.models) await replaceMembers(entities, found, change.models);
    await writeAuditEntry(entities, context, {
      action: 'updated_model_group',
      resource_type: 'model_group',
      resource_id: group_name,
      details: { changed: Object.keys(change), models: change.models?.map(({ model_name }) => model_name) },
    });
    const affected = await recordChangeOfModelGroup(entities, found.model_group_id);
    return { group: await entities.populate(found, ['members']), teams: affected };
  });
  await applyToTeams(deps, teams);
  return group;
}

async function replaceMembers(entities: SqlEntityManager, group: ModelGroup, models: readonly NewMember[]) {
  await entities.nativeDelete(ModelGroupMember, { model_group: group });
  await entities.insertMany(
    ModelGroupMember,
    memberRows(models).map((member) => ({ ...member, model_group: group })),
  );
}
