import { z } from 'zod';
import { addIssues, chosenBy, newIssue, sentObject, textOr, unsupportedUnless } from '../../../contracts/as-sent.ts';
import { document, JsonObject } from '../../../contracts/fields.ts';
import { Tools } from './tools.ts';

/** The items of a conversation. Keys that are not named here are ignored. `spec 29.7` */

const part = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.looseObject({ type: z.literal(type), ...shape });

const noFileId = unsupportedUnless(z.string(), () => false, 'Files are not referred to by id').nullish();

/** One of the fields has to say what the part is: the model would otherwise receive nothing. */
const oneGiven =
  (...fields: string[]) =>
  (value: Readonly<Record<string, unknown>>, context: Pick<z.core.ParsePayload, 'issues'>): void => {
    if (fields.every((field) => value[field] === undefined || value[field] === null))
      context.issues.push(newIssue('missing', 'Field required', [fields[0]!]));
  };

const text = z.string().describe('A text');
const parts = {
  input_text: part('input_text', { text }),
  output_text: part('output_text', { text }),
  text: part('text', { text }),
  summary_text: part('summary_text', { text }),
  reasoning_text: part('reasoning_text', { text }),
  refusal: part('refusal', { refusal: text }),
  input_image: part('input_image', {
    image_url: z.string().nullish().describe('An address, or a data URL'),
    file_id: noFileId,
    detail: z.string().nullish().describe('How exactly the model looks at it'),
  }).superRefine(oneGiven('image_url')),
  input_file: part('input_file', {
    file_data: z.string().nullish().describe('A data URL, or Base64'),
    file_url: z.string().nullish().describe('An address'),
    filename: z.string().nullish().describe('Its name'),
    file_id: noFileId,
  }).superRefine(oneGiven('file_data', 'file_url')),
  input_audio: part('input_audio', {
    input_audio: z.looseObject({ data: z.string(), format: z.string().nullish() }).describe('A sound in Base64'),
  }),
};
const textOrParts = textOr(z.array(chosenBy('type', parts)));

const call = { call_id: z.string(), id: z.string().nullish() };
const roles = ['user', 'assistant', 'system', 'developer'] as const;
const output = textOrParts;

const message = z.looseObject({ role: z.enum(roles), content: textOrParts.nullish() });

/** By their types. What is not here is left out: calls that a provider has made, and types that nobody knows yet. */
const schemas = {
  message,
  function_call: z.looseObject({ ...call, name: z.string(), arguments: z.string(), namespace: z.string().nullish() }),
  function_call_output: z.looseObject({ ...call, output }),
  custom_tool_call: z.looseObject({ ...call, name: z.string(), input: z.string(), namespace: z.string().nullish() }),
  custom_tool_call_output: z.looseObject({ ...call, output }),
  shell_call: z.looseObject({ ...call, action: sentObject }),
  shell_call_output: z.looseObject({ ...call, output: z.unknown() }),
  local_shell_call: z.looseObject({ ...call, action: sentObject }),
  local_shell_call_output: z.looseObject({
    call_id: z.string().nullish(),
    id: z.string().nullish(),
    output: z.string(),
  }),
  apply_patch_call: z.looseObject({ ...call, operation: sentObject }),
  apply_patch_call_output: z.looseObject({ ...call, output: z.string().nullish() }),
  tool_search_call: z.looseObject({ call_id: z.string().nullish(), arguments: z.unknown() }),
  tool_search_output: z.looseObject({ call_id: z.string().nullish(), tools: Tools }),
  reasoning: z.looseObject({ id: z.string().nullish(), encrypted_content: z.string().nullish() }),
  item_reference: z.looseObject({ id: z.string() }),
  additional_tools: z.looseObject({ tools: Tools }),
};

/** An item, with its type: that of a message may be absent, and so may that of a reference. */
export type Item = Readonly<Record<string, unknown>> & { type: string };

function typeOfItem(item: Readonly<Record<string, unknown>>): unknown {
  if (item.type !== undefined && item.type !== null) return item.type;
  return item.role === undefined && typeof item.id === 'string' ? 'item_reference' : 'message';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const InputItem = z.custom<Record<string, unknown>>().superRefine((value, context) => {
  if (!isObject(value)) {
    context.issues.push(newIssue('dict_type', 'Input should be a valid dictionary'));
    return;
  }
  const type = typeOfItem(value);
  if (typeof type !== 'string')
    context.issues.push(newIssue('string_type', 'Input should be a valid string', ['type']));
  else if (Object.hasOwn(schemas, type)) addIssues(context.issues, schemas[type as keyof typeof schemas], value);
});
document(InputItem, JsonObject);

export const maxItems = 10_000;

const Items = z.array(InputItem).min(1).max(maxItems);

export const Input = textOr(Items).describe(
  'A text of the user, or 1 to 10,000 items: messages, calls of tools and their outputs, reasoning, references to items of ' +
    'earlier responses (`item_reference`), further tools (`additional_tools`). Items of other types are left out and named in ' +
    '`X-Ignored-Fields`',
);
export type SentInput = string | readonly Readonly<Record<string, unknown>>[];

const toText = (content: string): Item => ({ type: 'message', role: 'user', content });

/** The items of an input, each with its type. */
export const itemsOf = (input: SentInput): Item[] =>
  typeof input === 'string' ? [toText(input)] : input.map((item) => ({ ...item, type: String(typeOfItem(item)) }));
