import { z } from 'zod';
import { int, Period, text } from './fields.ts';
import { keyedBy } from './keyed-by.ts';
import { responseFields } from './shared-fields.ts';

/** `spec 8.4`, `spec 8.8` and `spec 8.9`. Costs are in USD. */

export const UsageQuery = z.object({ period: Period });

const period = text('The month of the request: `YYYY-MM`, UTC', '2026-01');

const summary = {
  failed_jobs: z.int().describe('Jobs that failed'),
  cancelled_jobs: z.int().describe('Jobs that were cancelled'),
  total_cost_usd: z.number().describe('What the calls of the jobs cost at the model providers, in USD'),
  total_tokens: int('Tokens of all prompts and completions', 88),
};
const total_jobs = z.int().describe('Jobs that were created in the month, whatever their status is now');
const completedJobs = z.int().describe('Jobs that were completed');

export const TeamUsage = z
  .object({
    team_id: responseFields.team_id,
    period,
    summary: z
      .object({
        total_jobs,
        successful_jobs: completedJobs,
        ...summary,
        avg_cost_per_job: z.number().describe('`total_cost_usd` divided by `total_jobs`, in USD; 0 without jobs'),
      })
      .describe('All jobs of the team that were created in the month'),
    job_types: keyedBy(
      z
        .object({
          count: z.int().describe('Jobs of this type that were created in the month'),
          cost_usd: z.number().describe('What their calls cost at the model providers, in USD'),
        })
        .meta({ id: 'UsageOfJobType' }),
      'The same jobs by their `job_type`, which is the key',
    ),
  })
  .meta({ id: 'TeamUsage' });

const credits_used = z.int().describe('Credits deducted in the month less credits refunded in it');

export const OrganizationUsage = z
  .object({
    organization_id: responseFields.organization_id,
    period,
    summary: z
      .object({
        total_jobs,
        completed_jobs: completedJobs,
        failed_jobs: summary.failed_jobs,
        cancelled_jobs: summary.cancelled_jobs,
        credits_used,
        total_cost_usd: summary.total_cost_usd,
        total_tokens: summary.total_tokens,
      })
      .describe('All teams of the organization together; jobs count in the month in which they were created'),
    teams: keyedBy(
      z
        .object({ jobs: z.int().describe('Jobs of the team that were created in the month'), credits_used })
        .meta({ id: 'UsageOfTeam' }),
      'Each team of the organization by its `team_id`, which is the key',
    ),
  })
  .meta({ id: 'OrganizationUsage' });
