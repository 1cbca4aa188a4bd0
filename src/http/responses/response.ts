import { z } from 'zod';
import { JsonObject, namedEnum } from '../../contracts/fields.ts';

/** A response. `spec 29.11` */

const nullable = (schema: z.ZodType, meaning: string) => schema.nullable().describe(meaning);
const asRequested = z.unknown().describe('As the request has it, else the default of OpenAI');

const statuses = ['queued', 'in_progress', 'completed', 'incomplete', 'failed', 'cancelled'] as const;

const Failure = z
  .object({
    code: z.string().describe('What went wrong, for programs'),
    message: z.string().describe('The same for people'),
  })
  .meta({ id: 'ResponseError' });

const Incomplete = z
  .object({ reason: z.string().describe('`max_output_tokens` or `content_filter`') })
  .meta({ id: 'ResponseIncompleteDetails' });

const InputDetails = z
  .object({
    cached_tokens: z.int().describe('Tokens that the provider had cached'),
    cache_write_tokens: z.int().describe('Tokens that the provider wrote to its cache'),
  })
  .meta({ id: 'ResponseInputTokensDetails' });

const OutputDetails = z
  .object({ reasoning_tokens: z.int().describe('Tokens of the reasoning') })
  .meta({ id: 'ResponseOutputTokensDetails' });

const Usage = z
  .object({
    input_tokens: z.int().describe('All tokens of the prompt, as the upstream reported them'),
    input_tokens_details: InputDetails.describe('Of the prompt'),
    output_tokens: z.int().describe('Tokens of the answer'),
    output_tokens_details: OutputDetails.describe('Of the answer'),
    total_tokens: z.int().describe('Tokens of both'),
  })
  .meta({ id: 'ResponseUsage' });

export const Response = z
  .object({
    id: z.string().describe('`resp_` and the id of the call'),
    object: z.literal('response').describe('Always `response`'),
    created_at: z.int().describe('When it was requested, in Unix seconds'),
    completed_at: nullable(z.int(), 'When it was complete, in Unix seconds'),
    status: namedEnum('ResponseStatus', statuses).describe('How far it is'),
    background: z.boolean().describe('Whether it is made without its client waiting for it'),
    error: nullable(Failure, 'Why it failed'),
    incomplete_details: nullable(Incomplete, 'Why it is not whole: `max_output_tokens` or `content_filter`'),
    instructions: asRequested,
    max_output_tokens: asRequested,
    metadata: asRequested,
    model: z.string().describe('The model alias or model group that the request named'),
    parallel_tool_calls: asRequested,
    previous_response_id: asRequested,
    prompt_cache_key: asRequested,
    reasoning: asRequested,
    store: asRequested,
    temperature: asRequested,
    text: asRequested,
    tool_choice: asRequested,
    tools: asRequested,
    top_p: asRequested,
    truncation: asRequested,
    user: asRequested,
    output: z.array(JsonObject).describe('What the model wrote, in its order: reasoning, messages and calls of tools'),
    usage: nullable(Usage, 'Tokens of the call; null before its end'),
  })
  .meta({ id: 'Response' });

export const ResponseEventSchema = z
  .looseObject({
    type: z.string().describe('The type of the event'),
    sequence_number: z.int().describe('0, 1, 2 …; the same for every reader of the response'),
  })
  .meta({ id: 'ResponseStreamEvent' });
