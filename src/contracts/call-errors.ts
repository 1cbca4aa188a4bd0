import { z } from 'zod';
import { errorKinds } from '../domain/call-failure.ts';
import { csvFormat } from './csv.ts';
import { countedTotal, cursorPage, next_cursor } from './cursor.ts';
import { isOrdered, notOrdered } from './date-range.ts';
import { CallerId, Limit, namedEnum, text, timestamp } from './fields.ts';
import { completeUntil, FigureScope, responseRange } from './figure-ranges.ts';
import { CallStatus } from './job-calls.ts';
import { responseFields } from './shared-fields.ts';

/** Errors of calls, in groups and one by one: `spec 19.72` to `spec 19.74`. */

const kind = namedEnum('ErrorKind', errorKinds).describe(
  'Why it failed. `error`: the model or its provider, such as a status from 500 on. `interrupted`: the worker of the call was lost',
);

const ofAdmins = 'Only an admin sees concrete models: for a team it is a 403';

/** The filters of errors. `(none)` is the value of what has none. */
export const errorFilters = {
  error_kind: kind.optional().describe('Only errors of this kind'),
  error_model_group: CallerId.optional().describe(
    'Only errors of calls that requested this model group; `(none)`: that requested a model alias',
  ),
  error_model: CallerId.optional().describe(`Only errors of this concrete model. ${ofAdmins}`),
  error_code: CallerId.optional().describe(
    `Only errors with this code of the provider; \`(none)\`: without a code. ${ofAdmins}`,
  ),
};

const ErrorQuery = FigureScope.extend(errorFilters);

export const ErrorsQuery = ErrorQuery.extend(csvFormat).refine(isOrdered, notOrdered);

const counts = {
  calls: z.int().describe('Calls with such an error'),
  failed_calls: z.int().describe('Those of them that failed: no other model answered'),
  jobs: z.int().describe('Jobs of these calls'),
};

const cause = {
  model: text('Concrete model. Only for an admin', 'openai/gpt-4o').optional(),
  status_code: z
    .int()
    .nullable()
    .optional()
    .describe('HTTP status of the answer, of the last such error; null without an answer. Only for an admin'),
  error_code: text(
    'Code that the provider gave, or of a connection that failed; null without one. Only for an admin',
    'rate_limit_exceeded',
  )
    .nullable()
    .optional(),
};

const model_group = text(
  'Model group that the calls requested; null where they requested a model alias',
  'chat-large',
).nullable();

export const ErrorGroup = z
  .object({
    kind,
    model_group,
    ...cause,
    ...counts,
    first_at: timestamp('When the first of them happened'),
    last_at: timestamp('When the last of them happened', '2026-01-31T09:41:10.000Z'),
    trend: z.array(z.int()).describe('`calls` for each of `buckets`'),
  })
  .meta({ id: 'ErrorGroup' });

export const Errors = z
  .object({
    ...responseRange,
    clock: z.literal('job_created').describe('An error counts on the day on which its job was created, UTC'),
    complete_until: completeUntil,
    bucket: namedEnum('ErrorBucket', ['hour', 'day', 'month']).describe('The length of a bucket'),
    buckets: z.array(z.iso.datetime()).describe('When the buckets of `trend` begin. ISO 8601, UTC'),
    total: z.object(counts).meta({ id: 'ErrorTotal' }).describe('All errors together, each call and job once'),
    groups: z
      .array(ErrorGroup)
      .describe('Errors that are alike, most calls first, at most 100. A call may be in several'),
    groups_total: z.int().describe('How many groups there are in all'),
  })
  .meta({ id: 'Errors' });

export const FailedCallsQuery = ErrorQuery.extend({ limit: Limit, ...cursorPage, ...csvFormat }).refine(
  isOrdered,
  notOrdered,
);

export const FailedCall = z
  .object({
    call_id: responseFields.call_id,
    job_id: responseFields.job_id,
    team_id: responseFields.team_id,
    job_type: responseFields.job_type,
    purpose: responseFields.purpose,
    model_group,
    status: CallStatus.describe(
      'Of the call now. `succeeded`: another model answered. A team sees calls that failed only',
    ),
    finished_at: timestamp('When the call ended; null before').nullable(),
    errors: z
      .array(
        z
          .object({
            kind,
            ...cause,
            error: text('What is recorded of it, at most 1,000 characters', 'the upstream is rate limited (429)'),
          })
          .meta({ id: 'CallError' }),
      )
      .describe('Those of its errors that match'),
  })
  .meta({ id: 'FailedCall' });

export const FailedCalls = z
  .object({
    total: countedTotal,
    jobs: z.int().nullable().describe('How many jobs they belong to; null with `count=none`'),
    calls: z.array(FailedCall).describe('The calls of this page, newest first'),
    next_cursor,
  })
  .meta({ id: 'FailedCalls' });
