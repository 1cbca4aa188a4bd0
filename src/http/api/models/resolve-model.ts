import { ModelGroupParams, ModelResolution, ModelResolutionQuery } from '../../../contracts/model-groups.ts';
import { resolveModel as resolve } from '../../../services/models/resolve-model.ts';
import { route } from '../../route.ts';
import { serializeResolution } from './serialize-model.ts';

const prices = {
  input_price_per_million: 2.5,
  output_price_per_million: 10,
  cached_input_price_per_million: 0.25,
  cache_write_price_per_million: null,
};

export const resolveModel = route(
  {
    operationId: 'resolveModelGroup',
    method: 'get',
    path: '/api/model-groups/{group_name}/resolve',
    summary: 'Show which models a call of a team would try',
    description:
      'A dry run of what a call does with the name of a model group or an alias. Whether the key of the team is accepted at all, and ' +
      'the rights of its organization, are not looked at.',
    tag: 'Models',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    params: ModelGroupParams,
    query: ModelResolutionQuery,
    response: ModelResolution.meta({
      example: {
        allowed: true,
        reason: null,
        via: 'group',
        access_groups: [],
        members: [
          { model: 'openai/gpt-4o', position: 0, ...prices },
          { model: 'anthropic/claude-sonnet-4', position: 1, ...prices, cache_write_price_per_million: 3.125 },
        ],
      },
    }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { group_name } = context.params;
    const { team_id } = context.query;
    const resolution = await resolve(context, { team_id, name: group_name });
    return serializeResolution(resolution, { group_name, team_id });
  },
);
