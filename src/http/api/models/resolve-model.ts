import { refusalOf } from '../../../calls/admit-call.ts';
import { ModelGroupParams, ModelResolution, ModelResolutionQuery } from '../../../contracts/model-groups.ts';
import { priceOf } from '../../../contracts/models.ts';
import { dryRunResolution } from '../../../db/models/dry-run-resolution.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import { route } from '../../route.ts';

export const resolveModel = route(
  {
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
    response: ModelResolution,
    errors: ['team_not_found'],
    example: {
      response: {
        allowed: true,
        reason: null,
        via: 'group',
        access_groups: [],
        members: [
          { model: 'openai/gpt-4o', position: 0, input_price_per_million: 2.5, output_price_per_million: 10 },
          { model: 'openai/gpt-4o-mini', position: 1, input_price_per_million: 0.15, output_price_per_million: 0.6 },
        ],
      },
    },
  },
  async ({ deps, caller, params: { group_name }, query: { team_id } }) => {
    await requireOwnTeam({ deps, caller }, team_id);
    const { refusal, candidates, model_group_used, access_groups } = await dryRunResolution(
      deps.database,
      team_id,
      group_name,
    );
    const isAlias = refusal === null && model_group_used === null;
    const members = refusal === null ? (candidates ?? []) : [];
    return {
      group_name,
      team_id,
      allowed: refusal === null,
      reason: refusal && refusalOf(refusal, team_id, group_name).message,
      via: refusal === null ? (isAlias ? ('alias' as const) : ('group' as const)) : null,
      access_groups: isAlias ? access_groups : [],
      members: members.map(({ model, inputPerMillion, outputPerMillion }, position) => ({
        model,
        position,
        input_price_per_million: priceOf(inputPerMillion),
        output_price_per_million: priceOf(outputPerMillion),
      })),
      would_request: members[0]?.model ?? null,
    };
  },
);
