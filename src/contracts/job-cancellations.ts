import { z } from 'zod';
import { optional } from './fields.ts';
import { datesAreOrdered, datesNotOrdered, jobFilters } from './job-lists.ts';
import { JobCancellation } from './jobs.ts';
import { requestFields } from './shared-fields.ts';

/** Many jobs that are cancelled by one request. `spec 3.21` */

/** An end takes work of every service, so a request has as many as a page of a list. */
export const maxCancelledJobs = 1_000;

type Filters = typeof jobFilters;

/** The filters of the list of jobs, where null is the same as absent. */
const nullable = Object.fromEntries(
  Object.entries(jobFilters).map(([name, schema]) => [name, schema.nullable().describe(schema.description ?? '')]),
) as { [Name in keyof Filters]: z.ZodNullable<Filters[Name]> };
const filters = {
  ...nullable,
  metadata: nullable.metadata.describe(
    'Only jobs whose metadata have these values at these top-level keys, up to five',
  ),
};

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** A filter that is not known is refused: an ignored one would cancel more jobs than the client meant. */
const OpenJobFilter = z
  .strictObject(filters)
  .refine((filter) => Object.values(filter).some(isGiven), {
    message: 'Give at least one filter',
    params: { type: 'too_short' },
  })
  .refine(
    ({ start_date: start, end_date: end }) =>
      datesAreOrdered({ start_date: start ?? undefined, end_date: end ?? undefined }),
    datesNotOrdered,
  )
  .meta({ id: 'OpenJobFilter' });

export const JobCancellations = z
  .object({
    job_ids: optional(z.array(requestFields.job_id).min(1).max(maxCancelledJobs)).describe(
      `The jobs to cancel, 1 to ${maxCancelledJobs}. Unknown jobs and jobs of other teams are left out`,
    ),
    filter: optional(OpenJobFilter).describe('Instead of `job_ids`: the open jobs that match all of these filters'),
    reason: JobCancellation.shape.reason,
  })
  .superRefine(({ job_ids, filter }, context) => {
    if (isGiven(job_ids) && isGiven(filter))
      context.addIssue({ code: 'custom', path: ['filter'], message: 'Give either job_ids or filter' });
    if (!isGiven(job_ids) && !isGiven(filter))
      context.addIssue({
        code: 'custom',
        path: ['job_ids'],
        message: 'Give either job_ids or filter',
        params: { type: 'missing' },
      });
  })
  .meta({ id: 'JobCancellations' });

export const CancelledJobs = z
  .object({
    matched: z.int().describe(`Jobs that the request was about: at most ${maxCancelledJobs}, the oldest first`),
    cancelled: z.int().describe('Those of them that are cancelled now and were open before'),
    already_ended: z
      .int()
      .describe('Those of them that had ended before, or ended in another way before the cancellation reached them'),
    more: z
      .boolean()
      .describe('Whether the filter matched further open jobs, which a repetition of the request cancels'),
  })
  .meta({ id: 'CancelledJobs' });
