import { z } from 'zod';
import { csvFormat } from './csv.ts';
import { namedEnum, Period, text, timestamp } from './fields.ts';
import { responseFields } from './shared-fields.ts';

/** `spec 8.12` */

export const StatementQuery = z.object({ period: Period, ...csvFormat });

const jobs = {
  jobs: z.int().describe('Jobs that were created in the month'),
  completed: z.int().describe('Jobs that were completed'),
  failed: z.int().describe('Jobs that failed'),
  cancelled: z.int().describe('Jobs that were cancelled'),
  open: z.int().describe('Jobs that have not ended yet'),
  charged_jobs: z.int().describe('Jobs that were charged'),
  credits_charged: z.int().describe('What these jobs were charged, whenever they ended, also if it was refunded'),
};

export const Statement = z
  .object({
    team_id: responseFields.team_id,
    team_alias: responseFields.team_alias,
    organization_id: responseFields.organization_id,
    organization_name: z.string().nullable().describe('Name of the organization for people'),
    period: text('The month of the request: `YYYY-MM`, UTC', '2026-01'),
    from: timestamp('When the month begins', '2026-01-01T00:00:00.000Z'),
    to: timestamp('When the month ends, excluded', '2026-02-01T00:00:00.000Z'),
    is_complete: z.boolean().describe('Whether the month is over. Jobs of it that are open may still change it'),
    credits: z
      .object({
        opening_balance: z.int().describe('The balance when the month began'),
        allocated: z.int().describe('Credits that were allocated, refills too'),
        deducted: z.int().describe('Credits that jobs were charged in the month'),
        refunded: z.int().describe('Credits that were given back'),
        adjusted: z.int().describe('Sum of the adjustments, below 0 if more was taken'),
        closing_balance: z.int().describe('The balance when the month ended, or now'),
      })
      .describe('By the time of the row of the ledger. Opening + allocated - deducted + refunded + adjusted = closing'),
    jobs: z.object(jobs).describe('By the time at which the job was created'),
    job_types: z
      .array(z.object({ job_type: responseFields.job_type, ...jobs }).meta({ id: 'StatementOfJobType' }))
      .describe('The same by job type, in the order of their names'),
  })
  .meta({ id: 'Statement' });

const statementLines = [
  'opening_balance',
  'allocated',
  'deducted',
  'refunded',
  'adjusted',
  'closing_balance',
  'job_type',
  'jobs',
] as const;

/** A line of the file: a figure of the credits, then the jobs of each type and of all. */
export const StatementRow = z.object({
  period: z.string().describe('The month'),
  line: namedEnum('StatementLine', statementLines).describe('What the line has'),
  job_type: z.string().nullable().describe('The type, of a line `job_type`'),
  credits: z.int().describe('Credits; of jobs what they were charged'),
  jobs: z.int().nullable().describe('Jobs; empty of credits, as are the columns after it'),
  completed: z.int().nullable().describe(jobs.completed.description!),
  failed: z.int().nullable().describe(jobs.failed.description!),
  cancelled: z.int().nullable().describe(jobs.cancelled.description!),
  open: z.int().nullable().describe(jobs.open.description!),
  charged_jobs: z.int().nullable().describe(jobs.charged_jobs.description!),
});
