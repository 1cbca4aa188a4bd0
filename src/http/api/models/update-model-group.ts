import { LockMode } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import {
  ModelGroupParams,
  ModelGroupResponse,
  type NewMember,
  UpdateModelGroup,
} from '../../../contracts/model-groups.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelGroup, ModelGroupMember } from '../../../db/entities/model-group.ts';
import { recordChangeOfModelGroup } from '../../../db/upstream-teams/record-change.ts';
import { namedFields } from '../../../domain/named-fields.ts';
import { refuse } from '../../../errors.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';
import { memberRows } from './support/member-rows.ts';
import { serializeModelGroup } from './support/serialize-model-group.ts';

async function replaceMembers(entities: SqlEntityManager, group: ModelGroup, models: readonly NewMember[]) {
  await entities.nativeDelete(ModelGroupMember, { model_group: group });
  await entities.insertMany(
    ModelGroupMember,
    memberRows(models).map((member) => ({ ...member, model_group: group })),
  );
}

export const updateModelGroup = route(
  {
    method: 'put',
    path: '/api/model-groups/{group_name}',
    summary: 'Change a model group',
    description:
      'Named fields are replaced, `models` as a whole; omitted fields are not changed. Calls in flight are not affected.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelGroupParams,
    body: { schema: UpdateModelGroup },
    response: ModelGroupResponse,
    errors: ['model_group_not_found'],
    example: { body: { status: 'inactive' }, response: { status: 'inactive' } },
  },
  async (context) => {
    const { deps, params, body } = context;
    const { group_name } = params;
    const changed = await deps.database.transaction(async (entities) => {
      const group = await entities.findOne(ModelGroup, { group_name }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!group) throw refuse('model_group_not_found', group_name);
      const named = namedFields({
        display_name: body.display_name,
        description: body.description,
        status: body.status ?? undefined,
        extra_fields: body.extra_fields ?? undefined,
        blocked_fields: body.blocked_fields ?? undefined,
        max_output_tokens: body.max_output_tokens,
      });
      entities.assign(group, { ...named, updated_at: new Date() });
      await entities.flush();
      if (body.models) await replaceMembers(entities, group, body.models);
      await writeAuditEntry(entities, context, {
        action: 'updated_model_group',
        resource_type: 'model_group',
        resource_id: group_name,
        details: { changed: Object.keys(body), models: body.models?.map(({ model_name }) => model_name) },
      });
      const teams = await recordChangeOfModelGroup(entities, group.model_group_id);
      return { teams, response: serializeModelGroup(await entities.populate(group, ['members'])) };
    });
    await syncTeams(deps, changed.teams);
    return changed.response;
  },
);
