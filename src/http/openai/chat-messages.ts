import { z } from 'zod';
import { chosenBy, textOr } from '../../contracts/as-sent.ts';

/** The messages of a chat completion, which go upstream as they are, with keys that are not named here. `spec 17.13` */

const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const part = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z
    .looseObject({ type: z.literal(type).describe(`Always \`${type}\``), ...shape })
    .meta({ id: `ChatPart${pascal(type)}` });

const address = textOr(
  z.looseObject({ url: z.string().describe('An address, or a data URL') }).meta({ id: 'ChatMediaUrl' }),
);
const text = part('text', { text: z.string().describe('A text') });
const image_url = part('image_url', { image_url: address.describe('An image') });
const video_url = part('video_url', { video_url: address.describe('A video') });
const input_audio = part('input_audio', {
  input_audio: z.looseObject({ data: z.string().describe('The bytes in Base64') }).describe('A sound'),
});
const file = part('file', { file: z.looseObject({}).describe('A file, or its id') });
const refusal = part('refusal', { refusal: z.string().describe('Why the model did not answer') });

/** A text, or parts of these types. */
const textOrParts = (parts: Record<string, z.ZodType>) => textOr(z.array(chosenBy('type', parts)));

const called = z
  .looseObject({
    name: z.string().describe('Name of the function'),
    arguments: z.string().describe('The arguments as JSON text'),
  })
  .meta({ id: 'ChatCalledFunction' });
const toolCall = z
  .looseObject({
    id: z.string().describe('Id of the tool call, which its result names'),
    type: z.string().nullish().describe('`function`'),
    function: called.nullish().describe('The function that the model requested to be called'),
  })
  .meta({ id: 'ChatToolCallOfRequest' });

const message = <Role extends string, Shape extends z.ZodRawShape>(role: Role, shape: Shape) =>
  z
    .looseObject({ role: z.literal(role).describe(`Always \`${role}\``), ...shape })
    .meta({ id: `ChatMessageOf${pascal(role)}` });

const instruction = { content: textOrParts({ text }).describe('What the model should do: a text, or parts of text') };

const Message = chosenBy('role', {
  system: message('system', instruction),
  developer: message('developer', instruction),
  user: message('user', {
    content: textOrParts({ text, image_url, input_audio, file, video_url }).describe('A text, or parts'),
  }),
  assistant: message('assistant', {
    content: textOrParts({ text, refusal }).nullish().describe('What the model answered: a text, or parts'),
    tool_calls: z.array(toolCall).nullish().describe('Functions that the model requested to be called'),
    refusal: z.string().nullish().describe('Why the model did not answer'),
    function_call: called.nullish().describe('The predecessor of `tool_calls`'),
    reasoning_content: z.string().nullish().describe('What the model wrote before its answer'),
  }),
  tool: message('tool', {
    tool_call_id: z.string().describe('Id of the tool call'),
    content: textOrParts({ text, image_url }).describe('What the tool returned: a text, or parts'),
  }),
  function: message('function', {
    name: z.string().describe('Which function was called'),
    content: z.string().nullable().describe('What the function returned'),
  }),
});

const maxMessages = 10_000;

export const Messages = z
  .array(Message)
  .min(1)
  .max(maxMessages)
  .describe(
    'The conversation so far, oldest message first: 1 to 10,000 messages. They are sent to the model as they are, with keys that ' +
      'are not named here',
  );
