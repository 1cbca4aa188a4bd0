import { z } from 'zod';
import { responseFields } from './shared-fields.ts';

/** `spec 19.48` */
export const BurnRate = z
  .object({
    team_id: responseFields.team_id,
    credits_remaining: z.int().describe('Credits that are left'),
    credit_limit: z.int().nullable().describe('Bound of the budget; null for an unlimited one'),
    days: z.number().describe('Length of the period that is looked at, in days: seven, less for a younger team'),
    credits_used: z.int().describe('Credits deducted in the period less credits refunded in it'),
    credits_per_day: z
      .number()
      .nullable()
      .describe('`credits_used` divided by `days`; null for a team that is less than a day old'),
    lasts_days: z
      .number()
      .nullable()
      .describe(
        'Days until the credits are used up at this rate; null for an unlimited budget, without use, and for a team that is less than a day old',
      ),
    is_estimate: z.literal(true).describe('Use may change: this is no promise'),
  })
  .meta({ id: 'BurnRate' });
