import { ConversionRates } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { getTeamForCaller } from '../../../services/teams/read-teams.ts';
import { route } from '../../route.ts';
import { serializeConversionRates } from './serialize-credits.ts';

export const getConversionRates = route(
  {
    operationId: 'getConversionRates',
    method: 'get',
    path: '/api/credits/teams/{team_id}/conversion-rates',
    summary: 'Read the conversion rates of a team: what a credit is worth in tokens and dollars',
    tag: 'Credits',
    access: { audience: ['admin'] },
    params: TeamParams,
    response: ConversionRates.meta({ example: { tokens_per_credit: 10_000, credits_per_dollar: 10 } }),
    errors: ['team_not_found'],
  },
  async (context) => serializeConversionRates(await getTeamForCaller(context, context.params.team_id)),
);
