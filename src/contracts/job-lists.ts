import { z } from 'zod';
import { jobSortFields } from '../domain/job-state.ts';
import { Limit, Offset } from './fields.ts';
import { Job, JobStatus, JobType, jobInList, UserId } from './jobs.ts';
import { answered, given } from './shared-fields.ts';

/** `spec 3.8` */

const status = JobStatus.optional().describe('Only jobs in this status; without it, in any');

/** An ISO date, or a date-time; without an offset it is UTC. */
const Day = z.iso.date();
const Moment = z.iso.datetime({ offset: true, local: true });
/**
 * In the form that `Moment` and `Date` read: ISO 8601 allows leaving out seconds and the colon of an offset, and a `+` in a URL
 * is a space.
 */
function written(text: string): string {
  const [day, ...times] = text.toUpperCase().split('T');
  const time = times
    .join('T')
    .replace(/ (\d{2}:?\d{2})$/, '+$1')
    .replace(/^(\d{2}:\d{2})(?=Z|[+-])/, '$1:00')
    .replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return times.length === 0 ? day! : `${day}T${time}`;
}
/** With room for nanoseconds. Longer text is not parsed, because the time for it grows with the square of the length. */
const longest = 40;
export const DayOrMoment = z
  .string()
  .max(longest, { abort: true })
  .superRefine((text, context) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
    if ((isDay ? Day : Moment).safeParse(written(text)).success) return;
    const message = 'Input should be a valid date or datetime';
    context.addIssue({ code: 'custom', message, params: { type: 'datetime_parsing' } });
  })
  .meta({
    description: 'Only jobs that were created then or later: an ISO 8601 date or date-time, UTC without an offset',
    example: '2026-01-31',
  });

const dayMs = 86_400_000;

/** The first moment of the date or date-time. A bare date is UTC to JavaScript, a time without an offset is not. */
export function startOf(text: string): Date {
  const moment = written(text);
  return new Date(/^[^T]*T[^Z+-]*$/.test(moment) ? `${moment}Z` : moment);
}

/** The first moment after the date or date-time: a bare date lasts to the end of its day, UTC; a date-time is its own millisecond. */
export const endOf = (text: string): Date =>
  new Date(startOf(text).getTime() + (Day.safeParse(text).success ? dayMs : 1));

export const JobListQuery = z
  .object({
    limit: Limit,
    offset: Offset,
    status,
    job_type: JobType.optional().describe('Only jobs of this category, compared exactly'),
    user_id: UserId.optional().describe("Only jobs for this user of the client's, compared exactly"),
    external_task_id: given.external_task_id.optional().describe('Only jobs with this reference, compared exactly'),
    start_date: DayOrMoment.optional(),
    end_date: DayOrMoment.optional().meta({
      description:
        'Only jobs that were created then or earlier: as `start_date`; a date without a time lasts to the end of its day, UTC',
    }),
    team_id: given.team_id
      .optional()
      .describe("Only jobs of this team, for an admin; a virtual key sees its own team's only"),
    organization_id: given.organization_id
      .optional()
      .describe("Only jobs of this organization, for an admin; a virtual key may name its own team's only"),
    sort_by: z.enum(jobSortFields).default('created_at').describe('The field of the job that the list is sorted by'),
    order: z.enum(['asc', 'desc']).default('desc').describe('Direction of the sort: smallest or oldest first, or last'),
  })
  .refine(({ start_date, end_date }) => !start_date || !end_date || startOf(start_date) < endOf(end_date), {
    path: ['start_date'],
    message: 'start_date is after end_date',
  });

export const JobList = z
  .object({
    total: answered.total,
    limit: z.int().describe('The `limit` of the request, or its default'),
    offset: z.int().describe('The `offset` of the request, or its default'),
    jobs: z.array(Job).describe('The jobs of this page, in the requested order'),
  })
  .meta({ id: 'JobList' });

export const TeamJobsQuery = z.object({ limit: Limit, offset: Offset, status });

export const TeamJobs = z
  .object({
    team_id: answered.team_id,
    total: answered.total,
    jobs: z.array(z.object(jobInList).meta({ id: 'TeamJob' })).describe('The jobs of this page, newest first'),
  })
  .meta({ id: 'TeamJobs' });
