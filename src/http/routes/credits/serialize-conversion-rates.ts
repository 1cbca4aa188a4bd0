import type { z } from 'zod';
import type { ConversionRates } from '../../../contracts/credits.ts';
import type { TeamRates } from '../../../db/credits/set-conversion-rates.ts';
import { defaultRates } from '../../../domain/credits.ts';

/** The rates in effect, and which of them are the system's. `spec 6.15` */
export const serializeConversionRates = (team: TeamRates): z.input<typeof ConversionRates> => ({
  team_id: team.team_id,
  tokens_per_credit: team.tokens_per_credit ?? defaultRates.tokensPerCredit,
  credits_per_dollar: Number(team.credits_per_dollar ?? defaultRates.creditsPerDollar),
  budget_mode: team.budget_mode,
  using_defaults: {
    tokens_per_credit: team.tokens_per_credit === null,
    credits_per_dollar: team.credits_per_dollar === null,
  },
});
