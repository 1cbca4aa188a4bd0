import { ChangedConversionRates, ConversionRatesUpdate } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { changeConversionRates as change } from '../../../services/credits/change-conversion-rates.ts';
import { route } from '../../route.ts';
import { serializeConversionRates } from './serialize-credits.ts';

export const changeConversionRates = route(
  {
    operationId: 'updateConversionRates',
    method: 'patch',
    path: '/api/credits/teams/{team_id}/conversion-rates',
    summary: 'Change the conversion rates of a team',
    description: 'An omitted rate is not changed; null selects the default of the system.',
    tag: 'Credits',
    access: { audience: ['admin'] },
    params: TeamParams,
    body: { schema: ConversionRatesUpdate.meta({ example: { tokens_per_credit: 5_000, credits_per_dollar: null } }) },
    response: ChangedConversionRates.meta({
      example: {
        tokens_per_credit: 5_000,
        credits_per_dollar: 10,
        using_defaults: { tokens_per_credit: false, credits_per_dollar: true },
        message: "Conversion rates of team 'acme-research' updated successfully",
      },
    }),
    errors: ['team_not_found'],
  },
  async (context) => {
    const { params, body } = context;
    const { team_id } = params;
    const changed = await change(context, team_id, body);
    const message = `Conversion rates of team '${team_id}' updated successfully`;
    return { ...serializeConversionRates(changed), message };
  },
);
