import { z } from 'zod';
import { asSent, sentInteger, sentNumber, sentObject, textOr, unsupportedUnless } from '../../contracts/as-sent.ts';
import { CallerId, JsonObject } from '../../contracts/fields.ts';
import type { NamesInMetadata } from '../v1/call-metadata.ts';
import { userFields } from '../v1/user-fields.ts';
import { Messages } from './chat-messages.ts';
import { Functions, ResponseFormat, Tools } from './chat-tools.ts';

/** The body of a chat completion. `spec 17.8` to `spec 17.15` */

const maxStops = 16;
const textOrObject = textOr(sentObject);

/** Fields that go upstream as they were sent. Their ranges are the upstream's business. */
const forwarded = {
  temperature: sentNumber.nullish().describe('Randomness of the answer. No default: that of the model'),
  top_p: sentNumber
    .nullish()
    .describe('Only the most likely tokens that together have this probability are considered'),
  max_tokens: sentInteger.nullish().describe('Most tokens that the model may generate; the older name'),
  max_completion_tokens: sentInteger.nullish().describe('Most tokens that the model may generate, reasoning included'),
  stop: textOr(z.array(z.string()).max(maxStops)).nullish().describe('A text, or up to 16, at which the model stops'),
  presence_penalty: sentNumber.nullish().describe('Positive values make tokens less likely that occur already'),
  frequency_penalty: sentNumber.nullish().describe('Positive values make tokens less likely the more often they occur'),
  logit_bias: asSent(z.record(z.string(), sentNumber)).nullish().describe('How much likelier each token is, by its id'),
  seed: sentInteger.nullish().describe('For answers that can be repeated, where the model supports it'),
  response_format: ResponseFormat.nullish(),
  tools: Tools.nullish(),
  tool_choice: textOrObject.nullish().describe('Whether and which tools the model may or has to call'),
  parallel_tool_calls: z.boolean().nullish().describe('Whether the model may call several tools at once'),
  functions: Functions.nullish(),
  function_call: textOrObject.nullish().describe('The predecessor of `tool_choice`'),
  reasoning_effort: z.string().nullish().describe('How much the model reasons'),
  verbosity: z.string().nullish().describe('How long the answer is'),
  prediction: sentObject.nullish().describe('A text that the answer is likely to contain'),
  web_search_options: sentObject.nullish().describe('How the model searches the web'),
  service_tier: z.string().nullish().describe('With which priority the provider works'),
  prompt_cache_key: z.string().nullish().describe('What requests with the same beginning have in common'),
  prompt_cache_retention: z.string().nullish().describe('How long the provider caches the prompt'),
};

/** Fields that are never sent to the model. */
const kept = {
  ...userFields,
  store: z.unknown().optional().describe('Ignored: calls are always recorded, and never at the provider'),
};

const isTextOnly = (value: unknown): boolean => Array.isArray(value) && value.every((one) => one === 'text');

/** Fields of OpenAI that are refused, unless they have no effect. */
const refused = {
  n: unsupportedUnless(z.int(), (n) => n === 1, 'Only one choice is supported')
    .nullish()
    .describe('Only 1 is supported'),
  logprobs: unsupportedUnless(z.boolean(), (value) => value === false, 'Log probabilities are not supported')
    .nullish()
    .describe('Not supported'),
  top_logprobs: unsupportedUnless(z.int(), (value) => value === 0, 'Log probabilities are not supported')
    .nullish()
    .describe('Not supported'),
  modalities: unsupportedUnless(z.array(z.string()), isTextOnly, 'Only text is supported')
    .nullish()
    .describe('Only `text` is supported'),
  audio: unsupportedUnless(JsonObject, () => false, 'Only text is supported')
    .nullish()
    .describe('Not supported'),
};

export const ChatRequest = z
  .looseObject({
    model: CallerId.meta({
      description: 'Name of a model alias or of a model group that the team may use',
      example: 'chat-large',
    }),
    messages: Messages,
    stream: z.boolean().nullish().describe('Whether the answer comes as server-sent events'),
    stream_options: asSent(
      z
        .looseObject({
          include_usage: z.boolean().nullish().describe('Whether a last chunk of the stream has the usage'),
        })
        .meta({ id: 'ChatStreamOptions' }),
    )
      .nullish()
      .describe('For a stream'),
    ...forwarded,
    ...kept,
    ...refused,
  })
  .meta({ id: 'ChatCompletionRequest' });
export type ChatRequest = z.output<typeof ChatRequest> & { metadata?: NamesInMetadata | null };

export const forwardedFields = Object.keys(forwarded) as (keyof typeof forwarded)[];

/** All fields that have a meaning here. Any other is sent only if the model permits it. */
export const knownFields: ReadonlySet<string> = new Set(Object.keys(ChatRequest.shape));
