import { z } from 'zod';
import { namedEnum } from '../../contracts/fields.ts';

/** Answers of chat completions. `spec 17.17` to `spec 17.20` */

export const finishReasons = ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] as const;
export type FinishReason = (typeof finishReasons)[number];

const toolCall = {
  id: z.string().describe('Id of the tool call; of the model where it gave one'),
  type: z.literal('function').describe('Always `function`'),
};
const calledFunction = z
  .object({
    name: z.string().describe('Name of the function'),
    arguments: z.string().describe('The arguments as JSON text, written by the model: it need not be valid'),
  })
  .meta({ id: 'ChatFunctionCall' });

const Annotation = z
  .object({
    type: z.literal('url_citation').describe('Always `url_citation`'),
    url_citation: z
      .object({
        url: z.string().describe('The source'),
        title: z.string().optional().describe('Title of the source'),
        start_index: z.number().optional().describe('Where the cited part of the text begins'),
        end_index: z.number().optional().describe('Where the cited part of the text ends'),
      })
      .describe('A source on the web'),
  })
  .meta({ id: 'ChatCompletionAnnotation' });

const Message = z
  .object({
    role: z.literal('assistant').describe('Always `assistant`'),
    content: z.string().nullable().describe('The text of the answer; null when there is none'),
    refusal: z.string().nullable().describe('Why the model does not answer, in its own words; else null'),
    reasoning_content: z.string().optional().describe('What the model wrote before its answer, where it shows that'),
    tool_calls: z
      .array(
        z
          .object({ ...toolCall, function: calledFunction.describe('The function to call') })
          .meta({ id: 'ChatToolCall' }),
      )
      .optional()
      .describe('Functions that the model requests to be called'),
    function_call: calledFunction.optional().describe('The same for a request with `functions`'),
    annotations: z.array(Annotation).optional().describe('Sources that the model names'),
  })
  .meta({ id: 'ChatCompletionMessage' })
  .describe('What the model answered');

const FinishReason = namedEnum('FinishReason', finishReasons);
const finishReason = FinishReason.describe(
  'Why the model stopped: `length` is at the token limit; an unknown reason of the upstream is `stop`',
);

/** The fields of a choice, in answers and chunks. */
const choice = {
  index: z.literal(0).describe('Always 0: there is one choice'),
  logprobs: z.null().describe('Always null: log probabilities are not supported'),
};

export const ChatUsage = z
  .object({
    prompt_tokens: z.int().describe('Tokens of the prompt, as the upstream reported them; 0 where it reported none'),
    completion_tokens: z.int().describe('Tokens of the answer'),
    total_tokens: z.int().describe('Tokens of both'),
    prompt_tokens_details: z
      .object({ cached_tokens: z.int().describe('Tokens that the provider had cached') })
      .optional()
      .describe('Where the upstream reported them'),
    completion_tokens_details: z
      .object({ reasoning_tokens: z.int().describe('Tokens of the reasoning') })
      .optional()
      .describe('Where the upstream reported them'),
  })
  .meta({ id: 'ChatCompletionUsage' });
export type ChatUsage = z.output<typeof ChatUsage>;

const common = {
  id: z.string().describe('`chatcmpl-` and the id of the call'),
  created: z.int().describe('When the call was made, in Unix seconds'),
  model: z.string().describe('The model alias or model group that the request named'),
};

export const ChatResponse = z
  .object({
    ...common,
    object: z.literal('chat.completion').describe('Always `chat.completion`'),
    choices: z
      .array(
        z.object({ ...choice, message: Message, finish_reason: finishReason }).meta({ id: 'ChatCompletionChoice' }),
      )
      .describe('Always one choice'),
    usage: ChatUsage.describe('Tokens of the call'),
  })
  .meta({ id: 'ChatCompletion' });
export type ChatResponse = z.input<typeof ChatResponse>;

const Delta = z
  .object({
    role: z.literal('assistant').optional().describe('Only in the first chunk'),
    content: z.string().nullable().optional().describe('The next piece of the text'),
    refusal: z.string().optional().describe('The next piece of a refusal'),
    reasoning_content: z.string().optional().describe('The next piece of the reasoning'),
    tool_calls: z
      .array(z.record(z.string(), z.unknown()))
      .optional()
      .describe(
        'The next pieces of tool calls: `index`, and with the first piece of each `id`, `type` and `function.name`',
      ),
    function_call: z.record(z.string(), z.unknown()).optional().describe('The next piece of a function call'),
    annotations: z.array(Annotation).optional().describe('Further sources'),
  })
  .meta({ id: 'ChatCompletionStreamDelta' })
  .describe('What this chunk adds to the answer; empty in the last chunk of the choice');

/** One event of a stream. */
export const ChatChunk = z
  .object({
    ...common,
    object: z.literal('chat.completion.chunk').describe('Always `chat.completion.chunk`'),
    choices: z
      .array(
        z
          .object({
            ...choice,
            delta: Delta,
            finish_reason: FinishReason.nullable().describe('As in an answer; null before the end'),
          })
          .meta({ id: 'ChatCompletionStreamChoice' }),
      )
      .describe('One choice; none in the chunk of the usage'),
    usage: ChatUsage.nullable()
      .optional()
      .describe('Only with `include_usage`: null in every chunk but the last, which has the tokens of the call'),
  })
  .meta({ id: 'ChatCompletionStreamChunk' });
