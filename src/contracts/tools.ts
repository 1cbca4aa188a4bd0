import { z } from 'zod';
import { hasCyclicReference } from '../domain/json-schema.ts';
import { GivenObject, optional } from './fields.ts';

/** As many functions as common upstreams accept. */
const mostTools = 128;
/** Characters of JSON, all tools together: they are sent with every attempt. */
const longestTools = 262_144;

/** Not every upstream accepts null for an optional field. */
const absentIfNull = <T extends z.ZodType>(schema: T) => optional(schema).transform((value) => value ?? undefined);

const Tool = z
  .object({
    type: z.literal('function'),
    function: z.object({
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
      description: absentIfNull(z.string()),
      parameters: absentIfNull(GivenObject),
      strict: z.boolean().nullable().optional(),
    }),
  })
  .meta({ id: 'Tool' });

export const Tools = z
  .array(Tool)
  .max(mostTools)
  .refine((tools) => JSON.stringify(tools).length <= longestTools, { message: 'The tools are too large', abort: true })
  .superRefine((tools, context) => {
    for (const [index, { function: tool }] of tools.entries()) {
      if (!hasCyclicReference(tool.parameters)) continue;
      context.addIssue({
        code: 'custom',
        message: 'The schema refers to itself',
        path: [index, 'function', 'parameters'],
      });
    }
  });
