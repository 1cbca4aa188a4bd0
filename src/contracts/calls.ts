import { z } from 'zod';
import { metadataFits } from '../domain/metadata.ts';
import { CallerId, GivenObject, JobMetadata, JsonObject, optional, Timestamp, Uuid } from './fields.ts';
import { JobCosts, JobType, UserId } from './jobs.ts';
import { Tools } from './tools.ts';

/** What is asked of a model and what comes back. `spec 4.11` to `spec 4.14` */

const longestConversation = 1_000;

const ChatMessage = z
  .object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })
  .meta({ id: 'ChatMessage' });

const Messages = z.array(ChatMessage).min(1).max(longestConversation);
const Purpose = z.string().max(200);
/** Kept like a job's metadata, with the same limit: `spec 4.11`. */
const CallMetadata = GivenObject.refine(metadataFits, { message: 'Call metadata is limited to 10KB per call' });
const ModelName = CallerId.meta({ description: 'A model alias or a model group' });
const penalty = z.number().min(-2).max(2);

export const defaultTemperature = 0.7;
const sampling = {
  temperature: optional(z.number().min(0).max(2)).meta({ description: `Default ${defaultTemperature}` }),
  max_tokens: optional(z.int().min(1).max(2_147_483_647)),
};

export const CallRequest = z
  .object({
    model_group: ModelName,
    messages: Messages,
    purpose: optional(Purpose),
    ...sampling,
    call_metadata: optional(CallMetadata),
  })
  .meta({ id: 'CallRequest' });

export const SingleCallRequest = z
  .object({
    team_id: CallerId,
    job_type: JobType,
    model: ModelName,
    messages: Messages,
    user_id: optional(UserId),
    external_task_id: optional(CallerId),
    job_metadata: optional(JobMetadata),
    purpose: optional(Purpose),
    ...sampling,
    response_format: optional(GivenObject),
    tools: optional(Tools),
    tool_choice: optional(
      z.union([
        z.enum(['auto', 'none', 'required']),
        z.object({ type: z.literal('function'), function: z.object({ name: z.string().min(1) }) }),
      ]),
    ),
    top_p: optional(z.number().min(0).max(1)),
    frequency_penalty: optional(penalty),
    presence_penalty: optional(penalty),
    stop: optional(z.array(z.string()).max(16)),
  })
  .meta({ id: 'SingleCallRequest' });

const ToolCall = z
  .object({
    id: z.string(),
    type: z.literal('function'),
    function: z.object({ name: z.string(), arguments: z.string() }),
  })
  .meta({ id: 'ToolCall' });

export const ModelResponse = z
  .object({
    content: z.string(),
    finish_reason: z.string().meta({ description: 'stop, length or content_filter; tool_calls with tool calls' }),
    tool_calls: z.array(ToolCall).optional(),
  })
  .meta({ id: 'ModelResponse' });

export const CallAnswer = z
  .object({
    call_id: Uuid,
    response: ModelResponse,
    metadata: z.object({ tokens_used: z.int(), latency_ms: z.int(), model_group: z.string() }),
  })
  .meta({ id: 'CallAnswer' });

export const SingleCallAnswer = z
  .object({
    job_id: Uuid,
    status: z.literal('completed'),
    response: ModelResponse,
    metadata: z.object({ tokens_used: z.int(), latency_ms: z.int(), model: z.string() }),
    costs: JobCosts,
    completed_at: Timestamp,
  })
  .meta({ id: 'SingleCallAnswer' });

/** One event of a stream. */
export const Chunk = z
  .object({
    id: z.string(),
    object: z.literal('chat.completion.chunk'),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.object({
        index: z.literal(0),
        delta: z.object({
          role: z.literal('assistant').optional(),
          content: z.string().nullable().optional(),
          tool_calls: z.array(JsonObject).optional(),
        }),
        finish_reason: z.string().nullable(),
      }),
    ),
    usage: z
      .object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() })
      .optional()
      .meta({ description: 'In the final chunk' }),
  })
  .meta({ id: 'ChatCompletionChunk' });
