import { z } from 'zod';
import { BudgetRequest } from './budgets.ts';
import { BillingPolicy } from './credits.ts';
import { csvFormat } from './csv.ts';
import { beginsOnce, beginsTwice, Cursor, shownWithCursor } from './cursor.ts';
import { Limit, namedEnum, Offset } from './fields.ts';
import { JobType } from './jobs.ts';
import { requestFields, responseFields } from './shared-fields.ts';

/** The price list: what jobs cost, by their type. `spec 21.9` */

const job_type = JobType.meta({ description: 'Category of the jobs, compared exactly', example: 'summarize_report' });
export const JobTypeParams = z.object({ job_type });
export const JobTypeOfTeamParams = z.object({ team_id: requestFields.team_id, job_type });

const fields = {
  credits: z
    .int()
    .min(0)
    .max(1_000_000)
    .nullish()
    .describe(
      'What a job costs in the mode `job_based`, 0 to 1,000,000 credits. Null: as the next row says, or else 1',
    ),
  billing_policy: BillingPolicy.nullish().describe(
    'When a job is charged. Null: as the next row or the team says, or else `strict`',
  ),
  budget: BudgetRequest.nullish().describe(
    'The budget of a job whose request has none. Null: as the next row or the team says',
  ),
};

/** A field that is not known is refused: an ignored price would be no price. */
export const PriceOfJobType = z.strictObject(fields).meta({ id: 'PriceOfJobType' });

const priceScopes = ['team', 'platform'] as const;
const PriceScope = namedEnum('PriceScope', priceScopes);

export const JobTypePrice = z
  .object({
    job_type: responseFields.job_type,
    scope: PriceScope.describe('Whose row it is: the `team`’s own, or the `platform`’s, which is for all teams'),
    credits: z.int().nullable().meta({ description: fields.credits.description, example: 5 }),
    billing_policy: BillingPolicy.nullable().describe(fields.billing_policy.description!),
    budget: BudgetRequest.nullable().describe(fields.budget.description!),
    created_at: responseFields.created_at,
    updated_at: responseFields.updated_at,
  })
  .meta({ id: 'JobTypePrice' });

export const PriceListQuery = z
  .object({ limit: Limit, offset: Offset, cursor: Cursor.optional(), ...csvFormat })
  .refine(beginsOnce, beginsTwice);

export const PriceList = z
  .object({
    total: responseFields.total,
    job_types: z.array(JobTypePrice).describe('The rows of this page'),
    next_cursor: shownWithCursor,
  })
  .meta({ id: 'PriceList' });
