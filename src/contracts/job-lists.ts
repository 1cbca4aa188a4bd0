import { z } from 'zod';
import { jobSortFields, jobStatuses } from '../domain/job-state.ts';
import { errorFilters } from './call-errors.ts';
import { csvFormat } from './csv.ts';
import { beginsOnce, beginsTwice, cursorPage, next_cursor } from './cursor.ts';
import { DayOrMoment, isOrdered } from './date-range.ts';
import { CallerId, int, Limit, namedEnum, noControlCharacters, Offset, timestamp } from './fields.ts';
import { Job, JobStatus, JobType, jobInList, UserId } from './jobs.ts';
import { requestFields, responseFields } from './shared-fields.ts';

/** `spec 3.8` and `spec 19.20` */

const status = JobStatus.optional().describe('Only jobs in this status; without it, in any');

/** Each name is looked up in each job that is examined. */
const maxMetadataFilters = 5;
const MetadataFilter = z
  .record(z.string().min(1).max(255), z.string().max(1_000))
  .refine((filter) => Object.keys(filter).length <= maxMetadataFilters, {
    message: `At most ${maxMetadataFilters} metadata filters`,
  })
  .meta({
    description:
      'Only jobs whose metadata have this value at this top-level key, written as `metadata.<key>=<value>`, up to five times. ' +
      'A text is compared exactly, any other value as the JSON that is stored',
    example: { cost_center: 'FIN-204' },
  });

const maxDurationMs = 3_153_600_000_000;
const DurationMs = z.int().min(0).max(maxDurationMs);
const CostUsd = z.number().min(0).max(1_000_000_000_000);

export const jobFilters = {
  status: z
    .union([JobStatus, z.array(JobStatus).min(1).max(jobStatuses.length)])
    .optional()
    .describe('Only jobs in this status, or in one of several where it is given several times; without it, in any'),
  job_type: JobType.optional().describe('Only jobs of this category, compared exactly'),
  user_id: UserId.optional().describe("Only jobs for this user of the client's, compared exactly"),
  external_task_id: requestFields.external_task_id
    .optional()
    .describe('Only jobs with this reference, compared exactly'),
  start_date: DayOrMoment.optional().meta({
    description: 'Only jobs that were created then or later: an ISO 8601 date or date-time, UTC without an offset',
  }),
  end_date: DayOrMoment.optional().meta({
    description:
      'Only jobs that were created then or earlier: as `start_date`; a date without a time lasts to the end of its day, UTC',
  }),
  team_id: requestFields.team_id
    .optional()
    .describe("Only jobs of this team, for an admin; a virtual key sees its own team's only"),
  organization_id: requestFields.organization_id
    .optional()
    .describe("Only jobs of this organization, for an admin; a virtual key may name its own team's only"),
  key_id: requestFields.key_id.optional().describe('Only jobs that were created with this further key of a team'),
  q: z
    .string()
    .min(1)
    .max(255)
    .regex(noControlCharacters, 'must not contain control characters')
    .optional()
    .describe('Only jobs whose `job_id` or `external_task_id` begins with this text'),
  metadata: MetadataFilter.optional(),
  charged: z.boolean().optional().describe('Only jobs that were charged, or only those that were not (yet)'),
  has_failed_calls: z.boolean().optional().describe('Only jobs with a failed call so far, or only those without'),
  model_group: CallerId.optional().describe('Only jobs whose calls requested this model group, compared exactly'),
  ...errorFilters,
  model: CallerId.optional().describe(
    'Only jobs of which a request went to this concrete model. Only an admin sees concrete models: for a team it is a 403',
  ),
  min_cost_usd: CostUsd.optional().describe('Only jobs whose calls cost at least this much so far, in USD'),
  max_cost_usd: CostUsd.optional().describe('Only jobs whose calls cost at most this much so far, in USD'),
  min_duration_ms: DurationMs.optional().describe('Only ended jobs that lasted at least so long, in milliseconds'),
  max_duration_ms: DurationMs.optional().describe('Only ended jobs that lasted at most so long, in milliseconds'),
};

export const datesAreOrdered = (query: { start_date?: string | undefined; end_date?: string | undefined }): boolean =>
  isOrdered({ from: query.start_date, to: query.end_date });
export const datesNotOrdered = { path: ['start_date'], message: 'start_date is after end_date' };

export const JobListQuery = z
  .object({
    limit: Limit,
    offset: Offset,
    ...cursorPage,
    ...csvFormat,
    ...jobFilters,
    sort_by: namedEnum('JobSortField', jobSortFields)
      .default('created_at')
      .describe('The field of the job that the list is sorted by'),
    order: namedEnum('SortOrder', ['asc', 'desc'])
      .default('desc')
      .describe('Direction of the sort: smallest or oldest first, or last'),
  })
  .refine(datesAreOrdered, datesNotOrdered)
  .refine(beginsOnce, beginsTwice);

/** A job with its sums. */
export const ListedJob = Job.extend({
  total_calls: z.int().describe('LLM calls of the job that have ended so far'),
  failed_calls: int(
    'Those of them that failed. With one or more, the job is not charged, unless its policy says otherwise',
    0,
  ),
  total_tokens: int('Tokens of all prompts and completions so far', 88),
  total_cost_usd: z
    .number()
    .meta({ description: 'What the calls cost at the model providers so far, in USD', example: 0.00043 }),
  credits_charged: z.int().describe('Credits that were deducted for the job, also if they were refunded later; else 0'),
  duration_ms: int('From the creation of the job to its end, in milliseconds; null while it is open', 1_250).nullable(),
}).meta({ id: 'ListedJob' });

export const JobList = z
  .object({
    total: responseFields.total
      .nullable()
      .describe('How many jobs match in all, on this page and the others; null with `count=none`'),
    limit: int('The `limit` of the request, or its default', 100),
    offset: int('The `offset` of the request, or its default', 0),
    jobs: z
      .array(ListedJob)
      .describe(
        'The jobs of this page, in the requested order. A page by cursor may have fewer than `limit`, or none, although others follow',
      ),
    next_cursor,
  })
  .meta({ id: 'JobList' });

export const JobHistogramQuery = z
  .object({
    bucket: namedEnum('HistogramBucketChoice', ['auto', 'hour', 'day'])
      .default('auto')
      .describe('Length of a point, UTC. `auto`: an hour for a range of at most three days, else a day'),
    ...jobFilters,
  })
  .refine(datesAreOrdered, datesNotOrdered);

export const JobHistogram = z
  .object({
    bucket: namedEnum('HistogramBucket', ['hour', 'day']).describe('Length of a point'),
    from: timestamp('Start of the first point', '2026-01-31T00:00:00.000Z'),
    to: timestamp('End of the last point', '2026-02-01T00:00:00.000Z'),
    points: z
      .array(
        z
          .object({
            at: timestamp('Start of the point'),
            completed: z.int().describe('Jobs created in it that are completed'),
            failed: z.int().describe('Jobs created in it that failed'),
            cancelled: z.int().describe('Jobs created in it that were cancelled'),
            open: z.int().describe('Jobs created in it that have not ended'),
          })
          .meta({ id: 'JobHistogramPoint' }),
      )
      .describe('Every hour or day of the range, oldest first, also those without a job'),
    total: z.int().describe('The sum of all points'),
    complete: z
      .boolean()
      .describe(
        'False: only the newest jobs of the range were looked at. The first point may be too low, and those before it are left out',
      ),
  })
  .meta({ id: 'JobHistogram' });

export const TeamJobsQuery = z.object({ limit: Limit, offset: Offset, status, key_id: jobFilters.key_id });

export const TeamJobs = z
  .object({
    team_id: responseFields.team_id,
    total: responseFields.total,
    jobs: z.array(z.object(jobInList).meta({ id: 'TeamJob' })).describe('The jobs of this page, newest first'),
  })
  .meta({ id: 'TeamJobs' });

/** `spec 19.76` */
export const JobTotalsQuery = z.object(jobFilters).refine(datesAreOrdered, datesNotOrdered);

export const JobTotals = z
  .object({
    jobs: z.int().describe('Jobs that match'),
    total_calls: z.int().describe('LLM calls of these jobs that have ended so far'),
    failed_calls: z.int().describe('Those of them that failed'),
    total_tokens: z.int().describe('Tokens of all prompts and completions so far'),
    total_cost_usd: z.number().describe('What the calls cost at the model providers so far, in USD'),
    credits_charged: z.int().describe('Credits that were deducted for the jobs, also if they were refunded later'),
    complete: z
      .boolean()
      .describe('False: only the newest jobs were looked at, up to 50,000 that may match; older ones may match too'),
    from: timestamp('The oldest job that was looked at; null where all were').nullable(),
  })
  .meta({ id: 'JobTotals' });
