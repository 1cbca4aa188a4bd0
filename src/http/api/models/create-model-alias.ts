import { CreateModelAlias, ModelAliasResponse } from '../../../contracts/model-aliases.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelAlias } from '../../../db/entities/model-access.ts';
import { findAccessGroups } from '../../../db/models/find-named-models.ts';
import { createOnce } from '../../../db/sql/create-once.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../../db/upstream-teams/record-change.ts';
import { decimalText } from '../../../domain/formats/exact-decimal.ts';
import { withoutPrimary } from '../../../domain/model-members.ts';
import { refuse } from '../../../errors.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './support/serialize-model-alias.ts';

export const createModelAlias = route(
  {
    method: 'post',
    path: '/api/model-aliases/create',
    summary: 'Create a model alias',
    description: 'A name for one model and its fallbacks. A team reaches it through an access group that both share.',
    tag: 'Models',
    access: { audience: ['admin'] },
    body: { schema: CreateModelAlias },
    response: ModelAliasResponse,
    errors: ['model_alias_exists', 'access_group_not_found'],
    example: {
      body: {
        display_name: 'General chat',
        description: 'For conversations and summaries',
        fallbacks: ['openai/gpt-4o-mini'],
        input_price_per_million: 2.5,
        output_price_per_million: 10,
        access_groups: ['standard'],
      },
    },
  },
  async (context) => {
    const { deps, body, newId } = context;
    const { alias_name, model_name, display_name, description } = body;
    const model_alias_id = newId('model_alias');
    const create = () =>
      deps.database.transaction(async (entities) => {
        await lockChanges(entities, 'model access');
        const groups = await findAccessGroups(entities, body.access_groups ?? []);
        const alias = entities.create(ModelAlias, {
          model_alias_id,
          alias_name,
          model_name,
          display_name,
          description,
          fallbacks: withoutPrimary(body.fallbacks ?? [], model_name),
          extra_fields: body.extra_fields ?? [],
          blocked_fields: body.blocked_fields ?? [],
          max_output_tokens: body.max_output_tokens,
          input_price_per_million: decimalText(body.input_price_per_million),
          output_price_per_million: decimalText(body.output_price_per_million),
          access_groups: groups,
        });
        await entities.persist(alias).flush();
        await writeAuditEntry(entities, context, {
          action: 'created_model_alias',
          resource_type: 'model_alias',
          resource_id: alias_name,
          details: { model_name, fallbacks: alias.fallbacks, access_groups: body.access_groups ?? [] },
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
    await syncTeams(deps, created.teams);
    return serializeModelAlias(created.alias);
  },
);
