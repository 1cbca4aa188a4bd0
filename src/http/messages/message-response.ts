import { z } from 'zod';
import { namedEnum } from '../../contracts/fields.ts';
import { stopReasons } from './stop-reason.ts';

/** Answers in the form of Anthropic's Messages. `spec 28.7` and `spec 28.8` */

const Thinking = z
  .object({
    type: z.literal('thinking').describe('Always `thinking`'),
    thinking: z.string().describe('What the model wrote before its answer'),
    signature: z.string().describe('What brings the reasoning back to the model that wrote it. Opaque'),
  })
  .meta({ id: 'MessageThinking' });
const RedactedThinking = z
  .object({
    type: z.literal('redacted_thinking').describe('Always `redacted_thinking`'),
    data: z.string().describe('Reasoning that the model does not show. Opaque'),
  })
  .meta({ id: 'MessageRedactedThinking' });
const Text = z
  .object({ type: z.literal('text').describe('Always `text`'), text: z.string().describe('The text') })
  .meta({ id: 'MessageText' });
const ToolUse = z
  .object({
    type: z.literal('tool_use').describe('Always `tool_use`'),
    id: z.string().describe('Id of the tool call; of the model where it gave one'),
    name: z.string().describe('Name of the tool'),
    input: z.record(z.string(), z.unknown()).describe('The arguments: what can be read of them if they broke off'),
  })
  .meta({ id: 'MessageToolUse' });

const Block = z.union([Thinking, RedactedThinking, Text, ToolUse]);

const Usage = z
  .object({
    input_tokens: z.int().describe('Tokens of the prompt that were neither read from a cache nor written to one'),
    cache_creation_input_tokens: z.int().describe('Tokens of the prompt that were written to a cache'),
    cache_read_input_tokens: z.int().describe('Tokens of the prompt that were read from a cache'),
    output_tokens: z.int().describe('Tokens of the answer'),
  })
  .meta({ id: 'MessageUsage' });

const StopReason = namedEnum('MessageStopReason', stopReasons);

const shape = {
  id: z.string().describe('`msg_` and the id of the call'),
  type: z.literal('message').describe('Always `message`'),
  role: z.literal('assistant').describe('Always `assistant`'),
  model: z.string().describe('The model alias or model group that the request named'),
  content: z.array(Block).describe('What the model wrote, in its order'),
  stop_sequence: z.string().nullable().describe('The stop sequence at which the model stopped; else null'),
};

export const MessageResponse = z
  .object({
    ...shape,
    stop_reason: StopReason.describe('Why the model stopped'),
    usage: Usage.describe('Tokens of the call'),
  })
  .meta({ id: 'MessageResponse' });
export type MessageResponse = z.input<typeof MessageResponse>;

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, fields: Shape) =>
  z.object({ type: z.literal(type).describe(`Always \`${type}\``), ...fields });
const index = z.int().describe('Index of the block in the content');

/** One event's data. Its name is its type. */
export const MessageStreamEvent = z
  .union([
    event('message_start', {
      message: z
        .object({
          ...shape,
          stop_reason: StopReason.nullable().describe('Null'),
          usage: Usage.describe('`input_tokens` is an estimate'),
        })
        .describe('The message without its content'),
    }),
    event('content_block_start', { index, content_block: Block.describe('The block, empty') }),
    event('content_block_delta', {
      index,
      delta: z
        .record(z.string(), z.unknown())
        .describe('`text_delta`, `thinking_delta`, `signature_delta` or `input_json_delta` with the next piece'),
    }),
    event('content_block_stop', { index }),
    event('message_delta', {
      delta: z
        .object({ stop_reason: StopReason.describe('Why the model stopped'), stop_sequence: shape.stop_sequence })
        .describe('How the message ends'),
      usage: Usage.describe('Tokens of the call'),
    }),
    event('message_stop', {}),
    event('ping', {}),
  ])
  .meta({ id: 'MessageStreamEvent' });

export const TokenCount = z
  .object({ input_tokens: z.int().describe('Estimated tokens of the prompt') })
  .meta({ id: 'MessageTokenCount' });
