import { z } from 'zod';
import { asSent, sentInteger, sentNumber, sentObject, textOr, unsupportedUnless } from '../../../contracts/as-sent.ts';
import { CallerId, JsonObject } from '../../../contracts/fields.ts';
import type { NamesInMetadata } from '../../v1/call-metadata.ts';
import { userFields } from '../../v1/user-fields.ts';
import { Input, type SentInput } from './items.ts';
import type { SentTool } from './toolbox.ts';
import { TextFormat, Tools } from './tools.ts';

/** The body of a response. `spec 29.5` and `spec 29.6` */

const forwarded = {
  temperature: sentNumber.nullish().describe('Randomness of the answer. No default: that of the model'),
  top_p: sentNumber
    .nullish()
    .describe('Only the most likely tokens that together have this probability are considered'),
  max_output_tokens: sentInteger.nullish().describe('Most tokens that the model may generate, reasoning included'),
  tools: Tools.nullish(),
  tool_choice: textOr(sentObject).nullish().describe('Whether and which tools the model may or has to call'),
  parallel_tool_calls: z.boolean().nullish().describe('Whether the model may call several tools at once'),
  text: asSent(
    z
      .looseObject({
        format: TextFormat.nullish(),
        verbosity: z.string().nullish().describe('How long the answer is'),
      })
      .meta({ id: 'ResponsesText' }),
  )
    .nullish()
    .describe('The text of the answer'),
  reasoning: asSent(
    z
      .looseObject({
        effort: z.string().nullish().describe('How much the model reasons'),
        summary: z.string().nullish().describe('Shown in the response. What the model shows of its reasoning is shown'),
      })
      .meta({ id: 'ResponsesReasoning' }),
  )
    .nullish()
    .describe('How the model reasons'),
  prompt_cache_key: z.string().nullish().describe('What requests with the same beginning have in common'),
  prompt_cache_retention: z.string().nullish().describe('How long the provider caches the prompt'),
  service_tier: z.string().nullish().describe('With which priority the provider works'),
};

const kept = {
  ...userFields,
  store: z.boolean().nullish().describe('Whether the response can be named later. Default: true'),
  previous_response_id: z.string().nullish().describe('The response that this request goes on'),
  background: z.boolean().nullish().describe('Whether the response is made without its client waiting for it'),
  stream: z.boolean().nullish().describe('Whether the answer comes as server-sent events'),
  stream_options: sentObject.nullish().describe('Ignored'),
  client_metadata: sentObject.nullish().describe('What agents send of their turn'),
  include: z.array(z.unknown()).nullish().describe('`reasoning.encrypted_content`: the sealed state of the reasoning'),
};

/** Known, and left out: a chat completion has nothing of the kind. */
const leftOut = {
  truncation: z.string().nullish().describe('Left out, and shown in the response'),
  max_tool_calls: sentInteger.nullish().describe('Left out'),
  context_management: z.unknown().optional().describe('Left out'),
};

const never = (message: string) => unsupportedUnless(JsonObject, () => false, message);

const refused = {
  conversation: never('Conversations are not supported').nullish().describe('Not supported'),
  prompt: never('Prompts of the provider are not supported').nullish().describe('Not supported'),
  top_logprobs: unsupportedUnless(z.int(), (value) => value === 0, 'Log probabilities are not supported')
    .nullish()
    .describe('Not supported'),
};

export const ResponseRequest = z
  .looseObject({
    model: CallerId.meta({
      description: 'Name of a model alias or of a model group that the team may use',
      example: 'chat-large',
    }),
    input: Input,
    instructions: z.string().nullish().describe('What the model should do, before the input'),
    ...forwarded,
    ...kept,
    ...leftOut,
    ...refused,
  })
  .meta({ id: 'ResponseRequest' });

interface Read {
  input: SentInput;
  tools?: readonly SentTool[] | null;
  text?: { format?: Record<string, unknown> | null; verbosity?: string | null } | null;
  reasoning?: { effort?: string | null; summary?: string | null } | null;
  include?: readonly unknown[] | null;
  metadata?: NamesInMetadata | null;
}
export type ResponseRequest = z.output<typeof ResponseRequest> & Read;

/** All fields that have a meaning here. Any other is sent only if the model permits it. */
export const knownFields: ReadonlySet<string> = new Set(Object.keys(ResponseRequest.shape));
export const leftOutFields = Object.keys(leftOut);
