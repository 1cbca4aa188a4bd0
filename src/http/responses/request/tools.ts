import { z } from 'zod';
import { addIssues, asSent, newIssue } from '../../../contracts/as-sent.ts';
import { document, JsonObject } from '../../../contracts/fields.ts';
import { jsonSchema } from '../../v1/json-schema.ts';
import type { SentTool } from './toolbox.ts';

/** The tools of a response. Those that only a provider runs are left out, whatever they have. `spec 29.9` */

const tool = <Type extends string, Shape extends z.ZodRawShape>(type: Type, id: string, shape: Shape) =>
  z.looseObject({ type: z.literal(type).describe(`Always \`${type}\``), ...shape }).meta({ id });

const description = z.string().nullish().describe('What it does');
const parameters = jsonSchema.nullish().describe('JSON schema of the arguments. Null is an empty object');

const functionTool = tool('function', 'ResponsesFunctionTool', {
  name: z.string().describe('Name of the function'),
  description,
  parameters,
  strict: z.boolean().nullish().describe('Whether the arguments have to follow the schema'),
});
const customTool = tool('custom', 'ResponsesCustomTool', {
  name: z.string().describe('Name of the tool'),
  description,
  format: JsonObject.nullish().describe('The grammar of its input, which joins the description'),
});
const searchTool = tool('tool_search', 'ResponsesToolSearch', {
  description,
  parameters,
  execution: z.string().nullish().describe('`client`: a function for the model. Others are left out'),
});

const namespaceTool = tool('namespace', 'ResponsesNamespace', {
  name: z.string().describe('Name of the namespace'),
  tools: z.array(JsonObject).describe('Its functions and custom tools'),
});

const schemas: Readonly<Record<string, z.ZodType>> = {
  function: functionTool,
  custom: customTool,
  tool_search: searchTool,
  namespace: namespaceTool,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

type Path = (string | number)[];

function checkTool(value: unknown, issues: z.core.$ZodRawIssue[], path: Path = []): void {
  if (!isObject(value)) {
    issues.push(newIssue('dict_type', 'Input should be a valid dictionary', path));
    return;
  }
  const { type } = value;
  if (type === undefined) issues.push(newIssue('missing', 'Field required', [...path, 'type']));
  else if (typeof type !== 'string')
    issues.push(newIssue('string_type', 'Input should be a valid string', [...path, 'type']));
  else if (Object.hasOwn(schemas, type)) addIssues(issues, schemas[type]!, value, path);
  if (type !== 'namespace' || !Array.isArray(value.tools)) return;
  for (const [index, inner] of value.tools.entries()) checkTool(inner, issues, [...path, 'tools', index]);
}

const Tool = z.custom<SentTool>().superRefine((value, context) => checkTool(value, context.issues));
document(Tool, z.union([functionTool, customTool, searchTool, namespaceTool, JsonObject]));

export const Tools = z
  .array(Tool)
  .describe(
    'Tools that the model may call: `function`, `custom`, `namespace`, `tool_search` that the client executes, `shell`, ' +
      '`local_shell`, `apply_patch`. Others, which only a provider runs, are left out and named in `X-Ignored-Fields`',
  );

export const TextFormat = asSent(
  z
    .looseObject({
      type: z.string().describe('`text`, `json_object` or `json_schema`'),
      name: z.string().nullish().describe('Name of the schema'),
      schema: jsonSchema.nullish().describe('The JSON schema; it must not refer to itself'),
      strict: z.boolean().nullish().describe('Whether the answer has to follow the schema'),
    })
    .meta({ id: 'ResponsesTextFormat' }),
).describe('Format of the answer');
