import { z } from 'zod';
import { callErrorCodes } from '../domain/call-error-code.ts';
import { attemptOutcomes, errorLimit } from '../domain/call-state.ts';
import { finalJobStatuses, jobEnders, jobStatuses } from '../domain/job-state.ts';
import { BudgetRequest, budgetOfJob, budgetOfRequest } from './budgets.ts';
import { int, JobMetadata, keptObject, namedEnum, optional, text, texts, timestamp } from './fields.ts';
import { requestFields, responseFields, tokens } from './shared-fields.ts';

/** Jobs as clients see them. `spec 3` */

export const JobParams = z.object({ job_id: requestFields.job_id });
export const JobType = z.string().min(1).max(255).meta({
  description: 'Category of the job, chosen by the client: usage is summed up by it. At most 255 characters',
  example: 'summarize_report',
});
export const UserId = z
  .string()
  .max(255)
  .describe("Id of the client's own user that the job is for; the service only stores it. At most 255 characters");
const ErrorText = z.string().max(errorLimit);

export const JobStatus = namedEnum('JobStatus', jobStatuses, {
  description: '`pending` until the first call, `in_progress` until the end. The other three are final',
  example: 'completed',
});

export const JobEnder = namedEnum('JobEnder', jobEnders);

export const JobCreation = z
  .object({
    team_id: requestFields.ownTeamId,
    user_id: optional(UserId),
    job_type: JobType,
    external_task_id: optional(requestFields.external_task_id),
    metadata: optional(JobMetadata),
    budget: optional(BudgetRequest).describe(budgetOfRequest),
  })
  .meta({ id: 'JobCreation' });

export const CreatedJob = z
  .object({
    job_id: responseFields.job_id,
    status: z.literal('pending').describe('Always `pending`: the job has no call yet'),
    created_at: responseFields.created_at,
    credits_held: responseFields.credits_held,
    ...budgetOfJob,
  })
  .meta({ id: 'CreatedJob' });

/** What every list of jobs shows of each. */
export const jobInList = {
  job_id: responseFields.job_id,
  job_type: responseFields.job_type,
  status: JobStatus,
  created_at: responseFields.created_at,
  completed_at: timestamp(
    'When the job ended, in whichever status; null while it is open',
    '2026-01-31T09:30:01.250Z',
  ).nullable(),
  credit_applied: z
    .boolean()
    .describe(
      'Whether the job was charged. False while it is open, where its policy makes it free, and where the balance was too low',
    ),
  key_id: responseFields.key_id,
  credits_held: responseFields.credits_held,
};

export const Job = z
  .object({
    job_id: responseFields.job_id,
    team_id: responseFields.team_id,
    organization_id: responseFields.organization_id,
    user_id: z
      .string()
      .nullable()
      .describe("Id of the client's own user, as the client gave it; null when it gave none"),
    job_type: responseFields.job_type,
    status: JobStatus,
    created_at: responseFields.created_at,
    started_at: timestamp('When the first call was made; null before it', '2026-01-31T09:30:00.350Z').nullable(),
    completed_at: jobInList.completed_at,
    model_groups_used: texts('Names of the model groups that calls requested, in order of first use', ['chat-large']),
    credit_applied: jobInList.credit_applied,
    metadata: keptObject('What the client stored with the job; `{}` when it stored nothing'),
    error_message: z
      .string()
      .nullable()
      .describe('Why the job failed, from the client or the service, at most 1,000 characters; null unless it failed'),
    ended_by: JobEnder.nullable().describe(
      'Who ended the job: its `client`, its `call` or the last one of a turn, an `admin`, an `operator` in Temporal, the `idle` time, its `deadline`, or the ' +
        '`service` because its workflow was lost; null while it is open',
    ),
    external_task_id: z
      .string()
      .nullable()
      .describe('Reference to a task in another system, as the client gave it; null when it gave none'),
    key_id: jobInList.key_id,
    credits_held: jobInList.credits_held,
  })
  .meta({ id: 'Job' });

const withTerms = 'Only of a job that has another price or policy than the default';
/** One job, with its budget. */
export const JobWithBudget = Job.extend(budgetOfJob).meta({ id: 'JobWithBudget' });

export const JobCosts = z
  .object({
    total_calls: z.int().describe('LLM calls made in the job'),
    successful_calls: z.int().describe('Calls that returned an answer'),
    failed_calls: int(
      'Calls that ended with an error. With one or more, the job is not charged, unless its policy says otherwise',
      0,
    ),
    total_tokens: int('Tokens of all prompts and completions', 88),
    total_cost_usd: z.number().meta({
      description: 'What the calls cost at the model providers, in USD. It is not what the team pays',
      example: 0.00043,
    }),
    avg_latency_ms: int('Mean duration of a call in milliseconds; 0 without calls', 840),
    credit_applied: z.boolean().describe('Whether credits were deducted from the team for this job'),
    credits_remaining: int(
      "The team's balance in credits when the job ended, or now while it is open. Negative only if unlimited",
      4,
    ),
    price_credits: z
      .int()
      .optional()
      .describe(`What the job costs if it is charged, in credits; of an open job so far. ${withTerms}`),
    credits_charged: z
      .int()
      .optional()
      .describe(`Credits that were deducted for the job, also if they were refunded later; else 0. ${withTerms}`),
    superseded_calls: z
      .int()
      .optional()
      .describe(`Failed calls after which a call with the same purpose succeeded. ${withTerms}`),
  })
  .meta({ id: 'JobCosts' });
const costs = JobCosts.describe('What the job cost, over all its calls');

const model_group = text(
  'Name of the model group that the call requested; null when it named a model alias',
  'chat-large',
).nullable();
const latency_ms = int('From the start of the call to its end, in milliseconds', 840);
const error = z.string().nullable().describe('Why the call failed, at most 1,000 characters; null when it succeeded');
export const CallErrorCode = namedEnum('CallErrorCode', callErrorCodes);
const error_code = CallErrorCode.nullable().describe('Why the call failed, for programs; null when it did not');

const CallSummary = z
  .object({
    call_id: responseFields.call_id,
    purpose: responseFields.purpose,
    model_group,
    tokens: tokens.total_tokens,
    latency_ms,
    error,
    error_code,
  })
  .meta({ id: 'CallSummary' });

/** An answer about the end of a job is repeated as often as its client asks. */
export const maxCallsOfOutcome = 100;

/** `spec 26.1` */
export const AcceptedJob = z.object({ job_id: responseFields.job_id, status: JobStatus }).meta({ id: 'AcceptedJob' });

export const JobOutcome = z
  .object({
    job_id: responseFields.job_id,
    status: namedEnum('FinalJobStatus', finalJobStatuses).describe('How the job ended'),
    completed_at: timestamp('When the job ended', '2026-01-31T09:30:01.250Z'),
    costs,
    calls: z
      .array(CallSummary)
      .describe(
        'The calls of the job, in the order in which they were made: at most the first 100. `costs.total_calls` is the number of ' +
          'all, which are in the list of calls and in the costs of the job',
      ),
  })
  .meta({ id: 'JobOutcome' });

export const JobCompletion = z
  .object({
    status: namedEnum('JobCompletionStatus', ['completed', 'failed']).describe(
      'How the job ends. Only a `completed` job can be charged, unless its policy is `answered`',
    ),
    metadata: optional(JobMetadata),
    error_message: optional(ErrorText).describe('Why the job failed; ignored when it is completed'),
  })
  .meta({ id: 'JobCompletion' });

export const JobCancellation = z
  .object({
    reason: optional(ErrorText).describe('Why the job is cancelled; sent with the webhook event `job.cancelled`'),
  })
  .meta({ id: 'JobCancellation' });

export const MetadataUpdate = z.object({ metadata: JobMetadata }).meta({ id: 'MetadataUpdate' });
export const UpdatedMetadata = z
  .object({
    job_id: responseFields.job_id,
    metadata: keptObject('All metadata of the job after the merge'),
    updated_at: timestamp('When the metadata were merged'),
  })
  .meta({ id: 'UpdatedMetadata' });

export const CallAttempt = z
  .object({
    attempt_number: z.int().describe('Position among the attempts of the call, from 1'),
    model: text('Concrete model that was requested', 'openai/gpt-4o'),
    outcome: namedEnum('AttemptOutcome', attemptOutcomes).describe(
      'How the attempt ended; `interrupted` is a failure after the first token, which no other model may continue',
    ),
    error: z.string().nullable().describe('Why the attempt did not succeed; null when it did'),
    latency_ms: z.int().describe('Duration of the attempt in milliseconds'),
    prompt_tokens: tokens.prompt_tokens,
    completion_tokens: tokens.completion_tokens,
    cost_usd: z.number().describe('What the attempt cost at the model provider, in USD'),
    estimated: z
      .literal(true)
      .optional()
      .describe('The attempt was aborted, and nobody reported what it took: its tokens and its cost are an estimate'),
    created_at: timestamp('When the attempt was recorded'),
  })
  .meta({ id: 'CallAttempt' });

/** What only an answer to an admin has of a call. */
export const callForAdmins = {
  resolved_model: z.string().optional().meta({
    description: 'Concrete model that is requested first. Present only in an answer to an admin',
    example: 'openai/gpt-4o',
  }),
  model_used: z.string().nullable().optional().meta({
    description: 'Model that the upstream reported; null when it reported none. Present only in an answer to an admin',
    example: 'gpt-4o-2024-08-06',
  }),
  attempts: z
    .array(CallAttempt)
    .optional()
    .describe('Each request to a model, in order. Present only in an answer to an admin'),
  estimated: z
    .literal(true)
    .optional()
    .describe('What an attempt took is estimated. Present only in an answer to an admin'),
  estimated_cost_usd: z
    .number()
    .optional()
    .describe('That estimate, in USD; it is not in `cost_usd`. Present only with `estimated`'),
};

export const CallCosts = z
  .object({
    call_id: responseFields.call_id,
    purpose: responseFields.purpose,
    model_group,
    ...tokens,
    cost_usd: z.number().meta({
      description: 'What the call cost at the model providers, all attempts together, in USD',
      example: 0.00043,
    }),
    latency_ms,
    error,
    error_code,
    created_at: timestamp('When the call was made'),
    ...callForAdmins,
  })
  .meta({ id: 'CallCosts' });

export const JobCostBreakdown = z
  .object({
    job_id: responseFields.job_id,
    team_id: responseFields.team_id,
    job_type: responseFields.job_type,
    status: JobStatus,
    costs: JobCosts.extend({
      total_prompt_tokens: int('Tokens of all prompts', 60),
      total_completion_tokens: int('Tokens of all completions', 28),
      total_duration_seconds: z.number().meta({
        description: 'From the creation of the job to its end, or until now while it is open, in seconds',
        example: 1.25,
      }),
    })
      .meta({ id: 'DetailedJobCosts' })
      .describe('The sums over all calls of the job'),
    ...budgetOfJob,
    breakdown: z.array(CallCosts).describe('The calls of the job, in the order in which they were made'),
  })
  .meta({ id: 'JobCostBreakdown' });
