import { z } from 'zod';
import { metadataFits } from '../domain/metadata.ts';
import { BudgetRequest, budgetOfRequest } from './budgets.ts';
import {
  CallerId,
  GivenObject,
  int,
  JobMetadata,
  JsonObject,
  namedEnum,
  optional,
  StoredObject,
  text,
  timestamp,
} from './fields.ts';
import { JobCosts, JobType, UserId } from './jobs.ts';
import { requestFields, responseFields, tokens } from './shared-fields.ts';
import { ToolChoice, Tools } from './tools.ts';

/** Requests for calls, and their answers. `spec 4.11` to `spec 4.14` */

const maxMessages = 1_000;

const ChatMessage = z
  .object({
    role: namedEnum('ChatRole', ['system', 'user', 'assistant']).describe(
      'Who wrote the message: `system` instructs the model, `user` sends it a request, `assistant` is an earlier answer',
    ),
    content: text('The text of the message', 'You summarize financial reports in one sentence.'),
  })
  .meta({ id: 'ChatMessage' });

const Messages = z
  .array(ChatMessage)
  .min(1)
  .max(maxMessages)
  .describe('The conversation so far, oldest message first: 1 to 1,000 messages');
const Purpose = z
  .string()
  .max(200)
  .describe('Label of the call in lists of costs; it is not sent to the model. At most 200 characters');
/** The metadata is stored like that of a job, with the same limit: `spec 4.11`. */
const CallMetadata = StoredObject.refine(metadataFits, {
  message: 'Call metadata is limited to 10KB per call',
}).describe('Any JSON object, stored with the call and not sent to the model. At most 10,240 bytes as UTF-8 JSON');
const ModelName = CallerId.meta({
  description: 'Name of a model alias or of a model group that the team may use. An alias is looked up first',
  example: 'chat-large',
});
const penalty = z.number().min(-2).max(2);

export const defaultTemperature = 0.7;
/** What every call may state for its model. */
const modelOptions = {
  temperature: optional(z.number().min(0).max(2)).describe(
    `Randomness of the answer, from 0 (the most likely words) to 2. Default ${defaultTemperature}`,
  ),
  max_tokens: optional(z.int().min(1).max(2_147_483_647)).describe(
    'Most tokens that the model may generate. Without it, the limit of the model applies',
  ),
  response_format: optional(GivenObject).describe(
    'Format of the answer, passed on to the model as it is: `{"type": "json_object"}`, or a JSON schema as OpenAI defines it',
  ),
  tools: optional(Tools),
  tool_choice: optional(ToolChoice),
  top_p: optional(z.number().min(0).max(1)).describe(
    'Only the most likely tokens that together have this probability are considered, 0 to 1. Default: that of the model',
  ),
  frequency_penalty: optional(penalty).describe(
    'Positive values make tokens less likely the more often they occur in the text, -2 to 2. Default: that of the model',
  ),
  presence_penalty: optional(penalty).describe(
    'Positive values make tokens that occur in the text already less likely, -2 to 2. Default: that of the model',
  ),
  stop: optional(z.array(z.string()).max(16)).describe('Texts at which the model stops generating; at most 16'),
};

export const CallRequest = z
  .object({
    model_group: ModelName,
    messages: Messages,
    purpose: optional(Purpose),
    ...modelOptions,
    call_metadata: optional(CallMetadata),
  })
  .meta({ id: 'CallRequest' });

export const SingleCallRequest = z
  .object({
    team_id: requestFields.ownTeamId,
    job_type: JobType,
    model: ModelName,
    messages: Messages,
    user_id: optional(UserId),
    external_task_id: optional(requestFields.external_task_id),
    job_metadata: optional(JobMetadata),
    budget: optional(BudgetRequest).describe(budgetOfRequest),
    purpose: optional(Purpose),
    ...modelOptions,
  })
  .meta({ id: 'SingleCallRequest' });

const ToolCall = z
  .object({
    id: z.string().describe('Id of the tool call, from the model'),
    type: z.literal('function').describe('Always `function`'),
    function: z
      .object({
        name: z.string().describe('Name of the function, as in `tools`'),
        arguments: z.string().describe('The arguments as JSON text, written by the model: it need not be valid'),
      })
      .describe('The function that the model requests to be called'),
  })
  .meta({ id: 'ToolCall' });

export const ModelResponse = z
  .object({
    content: text(
      'The text of the answer; empty when the model only calls tools',
      'In January revenue rose by 12 percent to 4.2 million USD at unchanged costs, and 42 customers were gained.',
    ),
    finish_reason: text(
      'Why the model stopped: `stop`, `length` (at `max_tokens`), `content_filter`, `tool_calls` with tool calls, or `stopped` where the client has stopped the call',
      'stop',
    ),
    tool_calls: z
      .array(ToolCall)
      .optional()
      .describe('Functions that the model requests to be called; absent without any'),
  })
  .meta({ id: 'ModelResponse' });
const response = ModelResponse.describe('What the model answered');

/** The fields of the answer to a call beside the requested name. */
const measured = {
  tokens_used: int('Tokens of prompt and completion, as the upstream reported them', 88),
  latency_ms: int('From the start of the call to its end, in milliseconds', 840),
};

export const CallResponse = z
  .object({
    call_id: responseFields.call_id,
    response,
    metadata: z
      .object({
        ...measured,
        model_group: text('The `model_group` of the request', 'chat-large'),
      })
      .describe('What the call took'),
  })
  .meta({ id: 'CallResponse' });

export const SingleCallResponse = z
  .object({
    job_id: responseFields.job_id,
    status: z
      .enum(['completed', 'cancelled'])
      .describe(
        '`cancelled` if its call was stopped before a token was shown. A job whose call fails is answered with 500',
      ),
    response,
    metadata: z
      .object({
        ...measured,
        model: text('The `model` of the request', 'chat-large'),
      })
      .describe('What the call took'),
    costs: JobCosts.describe('What the job cost'),
    completed_at: timestamp('When the job ended', '2026-01-31T09:30:01.250Z'),
  })
  .meta({ id: 'SingleCallResponse' });

const Delta = z
  .object({
    role: z.literal('assistant').optional().describe('Only in the first chunk'),
    content: z
      .string()
      .nullable()
      .optional()
      .describe('The next piece of the text; null or absent where there is none'),
    tool_calls: z
      .array(JsonObject)
      .optional()
      .describe('The next pieces of tool calls, as OpenAI streams them: `index` identifies the call of a piece'),
  })
  .meta({ id: 'ChatCompletionChunkDelta' });

const Choice = z
  .object({
    index: z.literal(0).describe('Always 0: there is one choice'),
    delta: Delta.describe('What this chunk adds to the answer; empty in the final chunk'),
    finish_reason: z.string().nullable().describe('Why the model stopped, in the final chunk; null before it'),
  })
  .meta({ id: 'ChatCompletionChunkChoice' });

/** One event of a stream. */
export const Chunk = z
  .object({
    id: z.string().describe('`chatcmpl-` and the id of the call; the same in all chunks of a stream'),
    object: z.literal('chat.completion.chunk').describe('Always `chat.completion.chunk`'),
    created: z.int().describe('When the stream began, in Unix seconds'),
    model: z.string().describe('The model alias or model group that the request named'),
    choices: z.array(Choice).describe('Always one choice'),
    usage: z.object(tokens).optional().describe('Tokens of the whole call; only in the final chunk'),
  })
  .meta({ id: 'ChatCompletionChunk' });
