import { z } from 'zod';
import { attemptOutcomes, errorLimit } from '../domain/calls.ts';
import { jobEnds, jobStatuses } from '../domain/job.ts';
import { CallerId, JobMetadata, KeptObject, optional, Timestamp, Uuid } from './fields.ts';

/** Jobs as clients see them. `spec 3` */

export const JobParams = z.object({ job_id: Uuid });
export const JobType = z.string().min(1).max(255);
export const UserId = z.string().max(255);
const ErrorText = z.string().max(errorLimit);

export const JobCreation = z
  .object({
    team_id: CallerId,
    user_id: optional(UserId),
    job_type: JobType,
    external_task_id: optional(CallerId),
    metadata: optional(JobMetadata),
  })
  .meta({ id: 'JobCreation' });

export const CreatedJob = z
  .object({ job_id: Uuid, status: z.literal('pending'), created_at: Timestamp })
  .meta({ id: 'CreatedJob' });

export const Job = z
  .object({
    job_id: Uuid,
    team_id: z.string(),
    organization_id: z.string(),
    user_id: z.string().nullable(),
    job_type: z.string(),
    status: z.enum(jobStatuses),
    created_at: Timestamp,
    started_at: Timestamp.nullable(),
    completed_at: Timestamp.nullable(),
    model_groups_used: z.array(z.string()),
    credit_applied: z.boolean(),
    metadata: KeptObject,
    error_message: z.string().nullable(),
    external_task_id: z.string().nullable(),
  })
  .meta({ id: 'Job' });

export const JobCosts = z
  .object({
    total_calls: z.int(),
    successful_calls: z.int(),
    failed_calls: z.int(),
    total_tokens: z.int(),
    total_cost_usd: z.number(),
    avg_latency_ms: z.int(),
    credit_applied: z.boolean(),
    credits_remaining: z.int(),
  })
  .meta({ id: 'JobCosts' });

const CallSummary = z
  .object({
    call_id: Uuid,
    purpose: z.string().nullable(),
    model_group: z.string().nullable().meta({ description: 'Null for a direct model request' }),
    tokens: z.int(),
    latency_ms: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: 'CallSummary' });

export const JobOutcome = z
  .object({
    job_id: Uuid,
    status: z.enum(jobEnds),
    completed_at: Timestamp,
    costs: JobCosts,
    calls: z.array(CallSummary),
  })
  .meta({ id: 'JobOutcome' });

export const JobCompletion = z
  .object({
    status: z.enum(['completed', 'failed']),
    metadata: optional(JobMetadata),
    error_message: optional(ErrorText).meta({ description: 'Kept when the job failed' }),
  })
  .meta({ id: 'JobCompletion' });

export const JobCancellation = z.object({ reason: optional(ErrorText) }).meta({ id: 'JobCancellation' });

export const MetadataUpdate = z.object({ metadata: JobMetadata }).meta({ id: 'MetadataUpdate' });
export const UpdatedMetadata = z
  .object({ job_id: Uuid, metadata: KeptObject, updated_at: Timestamp })
  .meta({ id: 'UpdatedMetadata' });

const Attempt = z
  .object({
    attempt_number: z.int(),
    model: z.string(),
    outcome: z.enum(attemptOutcomes),
    error: z.string().nullable(),
    latency_ms: z.int(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    cost_usd: z.number(),
    created_at: Timestamp,
  })
  .meta({ id: 'CallAttempt' });

export const CallCosts = z
  .object({
    call_id: Uuid,
    purpose: z.string().nullable(),
    model_group: z.string().nullable(),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
    total_tokens: z.int(),
    cost_usd: z.number(),
    latency_ms: z.int(),
    error: z.string().nullable(),
    created_at: Timestamp,
    resolved_model: z.string().optional().meta({ description: 'For an admin only' }),
    model_used: z.string().nullable().optional().meta({ description: 'For an admin only' }),
    attempts: z.array(Attempt).optional().meta({ description: 'For an admin only' }),
  })
  .meta({ id: 'CallCosts' });

export const JobCostBreakdown = z
  .object({
    job_id: Uuid,
    team_id: z.string(),
    job_type: z.string(),
    status: z.enum(jobStatuses),
    costs: JobCosts.extend({
      total_prompt_tokens: z.int(),
      total_completion_tokens: z.int(),
      total_duration_seconds: z.number(),
    }).meta({ id: 'DetailedJobCosts' }),
    breakdown: z.array(CallCosts),
  })
  .meta({ id: 'JobCostBreakdown' });
