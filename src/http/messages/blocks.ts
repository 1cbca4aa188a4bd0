import { z } from 'zod';
import { asSent, chosenBy, sentObject, textOr } from '../../contracts/as-sent.ts';

/** The blocks of messages. Their types are checked; blocks of other types are accepted and left out. `spec 28.4` */

const pascal = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

const cache_control = sentObject.nullish().describe('Marks the end of what the provider should cache');

const block = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z
    .looseObject({ type: z.literal(type).describe(`Always \`${type}\``), ...shape, cache_control })
    .meta({ id: `MessageBlock${pascal(type)}` });

const blocksOf = (schemas: Record<string, z.ZodType>) => z.array(chosenBy('type', schemas, { others: 'any' }));

const text = block('text', { text: z.string().describe('A text') });

const source = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z
    .looseObject({ type: z.literal(type).describe(`Always \`${type}\``), ...shape })
    .meta({ id: `MessageSource${pascal(type)}` });
const sources = {
  base64: source('base64', {
    media_type: z.string().describe('The type of the data, such as `image/png`'),
    data: z.string().describe('The bytes in Base64'),
  }),
  url: source('url', { url: z.string().describe('An address') }),
  file: source('file', { file_id: z.string().describe('Not supported') }),
  text: source('text', { data: z.string().describe('The text') }),
  content: source('content', { content: textOr(blocksOf({ text })).describe('A text, or blocks') }),
};
const { base64, url, file } = sources;

const image = block('image', { source: chosenBy('type', { base64, url, file }).describe('Where the image is') });
const document = block('document', {
  source: chosenBy('type', sources).describe('What the document has'),
  title: z.string().nullish().describe('Its title'),
  context: z.string().nullish().describe('What the model should know about it'),
});
const search_result = block('search_result', {
  source: z.string().describe('Where it was found'),
  title: z.string().describe('Its title'),
  content: z.array(asSent(text)).describe('Its texts'),
});
const thinking = block('thinking', {
  thinking: z.string().nullish().describe('The reasoning. Only the signature goes back to the model'),
  signature: z.string().nullish().describe('The signature, as it was answered'),
});
const redacted_thinking = block('redacted_thinking', { data: z.string().describe('As it was answered') });
const tool_use = block('tool_use', {
  id: z.string().describe('Id of the tool call, which its result names'),
  name: z.string().describe('Name of the tool'),
  input: sentObject.nullish().describe('The arguments'),
});
const tool_reference = block('tool_reference', { tool_name: z.string().describe('Name of a deferred tool') });
const tool_result = block('tool_result', {
  tool_use_id: z.string().describe('Id of the tool call'),
  content: textOr(blocksOf({ text, image, document, search_result, tool_reference }))
    .nullish()
    .describe('What the tool returned: a text, or blocks'),
  is_error: z.boolean().nullish().describe('Whether the tool failed'),
});
const change = sentObject.describe('A `tool_reference` with the name of a tool, or a `tool_definition` with a tool');
const tool_addition = block('tool_addition', { tool: change });
const tool_removal = block('tool_removal', { tool: change });

export const SystemBlocks = blocksOf({ text, tool_addition, tool_removal });
const UserBlocks = blocksOf({ text, image, document, search_result, tool_result, tool_addition, tool_removal });
const AssistantBlocks = blocksOf({ text, thinking, redacted_thinking, tool_use });

const message = (role: 'user' | 'assistant' | 'system', content: z.ZodType) =>
  z
    .looseObject({ role: z.literal(role).describe(`Always \`${role}\``), content })
    .meta({ id: `MessageOf${pascal(role)}` });

export const maxMessages = 10_000;

export const InputMessages = z
  .array(
    chosenBy('role', {
      user: message('user', textOr(UserBlocks).describe('A text, or blocks')),
      assistant: message('assistant', textOr(AssistantBlocks).describe('What the model answered: a text, or blocks')),
      system: message('system', textOr(SystemBlocks).nullish().describe('What the model should do from here on')),
    }),
  )
  .min(1)
  .max(maxMessages);

/** A block after its type has been checked. */
export interface Block {
  type: string;
  cache_control?: unknown;
  [field: string]: unknown;
}

/** A message after its type has been checked. */
export interface InputMessage {
  role: 'user' | 'assistant' | 'system';
  content?: string | readonly Block[] | null;
  [field: string]: unknown;
}
