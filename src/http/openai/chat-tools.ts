import { z } from 'zod';
import { addIssues, asSent, chosenBy, newIssue } from '../../contracts/as-sent.ts';
import { document } from '../../contracts/fields.ts';
import { jsonSchema } from '../v1/json-schema.ts';

/** Tools, functions and the response format, which go upstream as they are. `spec 17.12` */

const called = z
  .looseObject({
    name: z.string().describe('Name of the function'),
    parameters: jsonSchema.nullish().describe('JSON schema of the arguments; it must not refer to itself'),
  })
  .meta({ id: 'ChatFunction' });
const functionTool = z
  .looseObject({
    type: z.literal('function').describe('Always `function`'),
    function: called.describe('The function that the model may call'),
  })
  .meta({ id: 'ChatTool' });

const typeOf = (tool: unknown): unknown => (tool as { type?: unknown } | null)?.type;

const Tool = z.custom<{ type: 'function' }>().superRefine((tool, context) => {
  const type = typeOf(tool);
  if (typeof type === 'string' && type !== 'function')
    context.issues.push(newIssue('unsupported_value', "Only tools of the type 'function' are supported", ['type']));
  else addIssues(context.issues, chosenBy('type', { function: functionTool }), tool);
});
document(Tool, functionTool);

export const Tools = z.array(Tool).describe('Functions that the model may call. An empty list is the same as none');

export const Functions = z.array(asSent(called)).describe('The predecessor of `tools`');

const namedSchema = z.looseObject({
  schema: jsonSchema.nullish().describe('The JSON schema; it must not refer to itself'),
});

export const ResponseFormat = asSent(
  z
    .looseObject({
      type: z.string().describe('`text`, `json_object` or `json_schema`'),
      json_schema: namedSchema.nullish().describe('A JSON schema, with its name'),
    })
    .meta({ id: 'ChatResponseFormat' }),
).describe('Format of the answer');
