import { z } from 'zod';
import { Period } from './fields.ts';
import { keyedBy } from './keyed-by.ts';

/** `spec 8.4`, `spec 8.8` and `spec 8.9`. Costs are in USD. */

export const UsageQuery = z.object({ period: Period.meta({ description: 'A month, UTC: `YYYY-MM`' }) });

export const TeamUsage = z
  .object({
    team_id: z.string(),
    period: z.string(),
    summary: z.object({
      total_jobs: z.int(),
      successful_jobs: z.int(),
      failed_jobs: z.int(),
      cancelled_jobs: z.int(),
      total_cost_usd: z.number(),
      total_tokens: z.int(),
      avg_cost_per_job: z.number(),
    }),
    job_types: keyedBy(z.object({ count: z.int(), cost_usd: z.number() })),
  })
  .meta({ id: 'TeamUsage' });

export const OrganizationUsage = z
  .object({
    organization_id: z.string(),
    period: z.string(),
    summary: z.object({
      total_jobs: z.int(),
      completed_jobs: z.int(),
      failed_jobs: z.int(),
      cancelled_jobs: z.int(),
      credits_used: z.int().meta({ description: 'Deductions less refunds made in the month' }),
      total_cost_usd: z.number(),
      total_tokens: z.int(),
    }),
    teams: keyedBy(z.object({ jobs: z.int(), credits_used: z.int() })),
  })
  .meta({ id: 'OrganizationUsage' });
