import { ChangedConversionRates, ConversionRatesUpdate } from '../../../contracts/credits.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { auditEntry } from '../../../db/audit/audit-entry.ts';
import { setConversionRates } from '../../../db/credits/set-conversion-rates.ts';
import { decimalText } from '../../../domain/formats/exact-decimal.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeConversionRates } from './support/serialize-credits.ts';

export const changeConversionRates = route(
  {
    method: 'patch',
    path: '/api/credits/teams/{team_id}/conversion-rates',
    summary: 'Change the conversion rates of a team',
    description: 'An omitted rate is not changed; null selects the default of the system.',
    tag: 'Credits',
    access: { audience: ['admin'] },
    params: TeamParams,
    body: { schema: ConversionRatesUpdate },
    response: ChangedConversionRates,
    errors: ['team_not_found'],
    example: {
      body: { tokens_per_credit: 5_000, credits_per_dollar: null },
      response: {
        tokens_per_credit: 5_000,
        credits_per_dollar: 10,
        using_defaults: { tokens_per_credit: false, credits_per_dollar: true },
        message: "Conversion rates of team 'acme-research' updated successfully",
      },
    },
  },
  async (context) => {
    const { deps, params, body, newId } = context;
    const { team_id } = params;
    const { tokens_per_credit, credits_per_dollar } = body;
    const entry = auditEntry(newId('audit'), context, {
      action: 'updated_conversion_rates',
      resource_type: 'team',
      resource_id: team_id,
      details: body,
    });
    const rates = { tokens_per_credit, credits_per_dollar: decimalText(credits_per_dollar) };
    const changed = await setConversionRates(deps.database, team_id, rates, entry);
    if (!changed) throw refuse('team_not_found', team_id);
    deps.changes.publish('teams', { team_id });
    const message = `Conversion rates of team '${team_id}' updated successfully`;
    return { ...serializeConversionRates(changed), message };
  },
);
