import { z } from 'zod';
import { hasCyclicReference } from '../domain/formats/json-schema.ts';
import { GivenObject, namedEnum, optional } from './fields.ts';

/** Common upstreams accept so many functions. */
const maxTools = 128;
/** The JSON of all tools together has at most so many characters: they are sent with every attempt. */
const maxToolsCharacters = 262_144;

/** Not every upstream accepts null for an optional field. */
const absentIfNull = <T extends z.ZodType>(schema: T) => optional(schema).transform((value) => value ?? undefined);

const Tool = z
  .object({
    type: z.literal('function').describe('Always `function`'),
    function: z
      .object({
        name: z
          .string()
          .regex(/^[a-zA-Z0-9_-]{1,64}$/)
          .describe('Name of the function: 1 to 64 letters, digits, `_` and `-`'),
        description: absentIfNull(z.string()).describe('What the function does, for the model'),
        parameters: absentIfNull(GivenObject).describe(
          'JSON schema of the arguments; it must not refer to itself. Without it, the function has no arguments',
        ),
        strict: z
          .boolean()
          .nullable()
          .optional()
          .describe('Whether the arguments have to match the schema exactly. Default: that of the model'),
      })
      .describe('The function that the model may call'),
  })
  .meta({ id: 'Tool' });

export const Tools = z
  .array(Tool)
  .max(maxTools)
  .refine((tools) => JSON.stringify(tools).length <= maxToolsCharacters, {
    message: 'The tools are too large',
    abort: true,
  })
  .superRefine((tools, context) => {
    for (const [index, { function: tool }] of tools.entries()) {
      if (!hasCyclicReference(tool.parameters)) continue;
      context.addIssue({
        code: 'custom',
        message: 'The schema refers to itself',
        path: [index, 'function', 'parameters'],
      });
    }
  })
  .describe('Functions that the model may call: at most 128, and 262,144 characters of JSON in all');

const ToolByName = z
  .object({
    type: z.literal('function').describe('Always `function`'),
    function: z
      .object({ name: z.string().min(1).describe('Name of the function, as in `tools`') })
      .describe('The function that the model has to call'),
  })
  .meta({ id: 'ToolByName' });

export const ToolChoice = z
  .union([namedEnum('ToolChoiceMode', ['auto', 'none', 'required']), ToolByName])
  .describe(
    'Whether the model may call tools (`auto`), must not (`none`), has to (`required`), or which one it has to call',
  );
