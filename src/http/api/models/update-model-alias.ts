import { ModelAliasParams, ModelAliasResponse, UpdateModelAlias } from '../../../contracts/model-aliases.ts';
import { writeAuditEntry } from '../../../db/audit/audit-entry.ts';
import { ModelAlias } from '../../../db/entities/model-access.ts';
import { findAccessGroups } from '../../../db/models/find-named-models.ts';
import { lockChanges } from '../../../db/sql/lock-changes.ts';
import { recordChangeOfAccessGroups } from '../../../db/upstream-teams/record-change.ts';
import { decimalText } from '../../../domain/formats/exact-decimal.ts';
import { withoutPrimary } from '../../../domain/model-members.ts';
import { namedFields } from '../../../domain/named-fields.ts';
import { refuse } from '../../../errors.ts';
import { syncTeams } from '../../../litellm/sync-teams.ts';
import { route } from '../../route.ts';
import { serializeModelAlias } from './support/serialize-model-alias.ts';

const groupIds = (alias: ModelAlias) => alias.access_groups.getItems().map((group) => group.model_access_group_id);

export const updateModelAlias = route(
  {
    method: 'put',
    path: '/api/model-aliases/{alias_name}',
    summary: 'Change a model alias',
    description:
      'Named fields are replaced, arrays as a whole; omitted fields are not changed. Calls in flight are not affected.',
    tag: 'Models',
    access: { audience: ['admin'] },
    params: ModelAliasParams,
    body: { schema: UpdateModelAlias },
    response: ModelAliasResponse,
    errors: ['model_alias_not_found', 'access_group_not_found'],
    example: { body: { status: 'inactive' }, response: { status: 'inactive' } },
  },
  async (context) => {
    const { deps, params, body } = context;
    const { alias_name } = params;
    const changed = await deps.database.transaction(async (entities) => {
      await lockChanges(entities, 'model access');
      const alias = await entities.findOne(ModelAlias, { alias_name }, { populate: ['access_groups'] });
      if (!alias) throw refuse('model_alias_not_found', alias_name);
      const before = groupIds(alias);
      const model_name = body.model_name ?? alias.model_name;
      const named = namedFields({
        display_name: body.display_name,
        description: body.description,
        status: body.status ?? undefined,
        extra_fields: body.extra_fields ?? undefined,
        blocked_fields: body.blocked_fields ?? undefined,
        max_output_tokens: body.max_output_tokens,
        input_price_per_million: decimalText(body.input_price_per_million),
        output_price_per_million: decimalText(body.output_price_per_million),
      });
      const fallbacks = withoutPrimary(body.fallbacks ?? alias.fallbacks, model_name);
      entities.assign(alias, { ...named, model_name, fallbacks, updated_at: new Date() });
      if (body.access_groups) alias.access_groups.set(await findAccessGroups(entities, body.access_groups));
      await entities.flush();
      await writeAuditEntry(entities, context, {
        action: 'updated_model_alias',
        resource_type: 'model_alias',
        resource_id: alias_name,
        details: { changed: Object.keys(body), model_name, fallbacks },
      });
      return { alias, teams: await recordChangeOfAccessGroups(entities, [...before, ...groupIds(alias)]) };
    });
    await syncTeams(deps, changed.teams);
    return serializeModelAlias(changed.alias);
  },
);
