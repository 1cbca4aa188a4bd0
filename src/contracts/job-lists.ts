import { z } from 'zod';
import { jobSortFields, jobStatuses } from '../domain/job.ts';
import { CallerId, Limit, Offset, Timestamp, Uuid } from './fields.ts';
import { Job, JobType, UserId } from './jobs.ts';

/** `spec 3.8` */

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
/** With room for nanoseconds. Longer text is not parsed: the time that takes grows with the square of the length. */
const longest = 40;
const DayOrMoment = z
  .string()
  .max(longest, { abort: true })
  .superRefine((text, context) => {
    const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
    if ((isDay ? Day : Moment).safeParse(written(text)).success) return;
    const message = 'Input should be a valid date or datetime';
    context.addIssue({ code: 'custom', message, params: { type: 'datetime_parsing' } });
  })
  .meta({
    description: 'When jobs were created: an ISO 8601 date or date-time, UTC without an offset',
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
    status: z.enum(jobStatuses).optional(),
    job_type: JobType.optional(),
    user_id: UserId.optional(),
    external_task_id: CallerId.optional(),
    start_date: DayOrMoment.optional(),
    end_date: DayOrMoment.optional().meta({
      description: 'As `start_date`, and like it inclusive: a date lasts to the end of its day, UTC',
    }),
    team_id: CallerId.optional().meta({ description: 'For an admin; a team sees its own' }),
    organization_id: CallerId.optional().meta({ description: 'For an admin' }),
    sort_by: z.enum(jobSortFields).default('created_at'),
    order: z.enum(['asc', 'desc']).default('desc'),
  })
  .refine(({ start_date, end_date }) => !start_date || !end_date || startOf(start_date) < endOf(end_date), {
    path: ['start_date'],
    message: 'start_date is after end_date',
  });

export const JobList = z
  .object({ total: z.int(), limit: z.int(), offset: z.int(), jobs: z.array(Job) })
  .meta({ id: 'JobList' });

export const TeamJobsQuery = z.object({ limit: Limit, offset: Offset, status: z.enum(jobStatuses).optional() });

export const TeamJobs = z
  .object({
    team_id: z.string(),
    total: z.int(),
    jobs: z.array(
      z
        .object({
          job_id: Uuid,
          job_type: z.string(),
          status: z.enum(jobStatuses),
          created_at: Timestamp,
          completed_at: Timestamp.nullable(),
          credit_applied: z.boolean(),
        })
        .meta({ id: 'TeamJob' }),
    ),
  })
  .meta({ id: 'TeamJobs' });
