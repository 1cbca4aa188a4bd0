import type { z } from 'zod';
import type { Components, JsonSchema } from './components.ts';

/** The schema of a whole body with its example, which is shown beside the schema and not within it. */
export function withExample(body: z.ZodType, io: 'input' | 'output', components: Components) {
  const described = components.describe(body, io);
  const { example: _, ...own } = described;
  // A schema with a name is a reference in a list of one as soon as it has an example.
  const [named, ...others] = (own.allOf ?? []) as JsonSchema[];
  const schema = named && others.length === 0 ? named : own;
  return { schema, example: composeExample(described, { lookup: components.lookup, isAnswer: io === 'output' }) };
}

interface Examples {
  /** The schema that a `$ref` refers to. */
  lookup(reference: string): JsonSchema;
  /** Fields that may be absent are shown in answers, where they have an example. In requests they are not. */
  isAnswer: boolean;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The example of a schema (`.meta({ example })`), or one that is composed of those of its parts. That of an object needs only some of its fields. */
function composeExample(schema: JsonSchema, examples: Examples): unknown {
  const { example } = schema;
  if (isObject(example)) return { ...(composed(schema, examples) as object), ...example };
  return example === undefined ? composed(schema, examples) : example;
}

function composed(schema: JsonSchema, examples: Examples): unknown {
  const { $ref, type, items, nullable, minimum = 1 } = schema;
  if (typeof $ref === 'string') return composeExample(examples.lookup($ref), examples);
  const [alternative] = (schema.allOf ?? schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (alternative) return composeExample(alternative, examples);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  switch (type) {
    case 'object':
      return composeFields(schema, examples);
    case 'array':
      return [composeExample(items as JsonSchema, examples)];
    case 'string':
      return nullable ? null : 'text';
    case 'integer':
    case 'number':
      return nullable ? null : Math.max(Number(minimum), 1);
    default:
      return type === 'boolean' ? true : {};
  }
}

function composeFields({ properties = {}, required = [] }: JsonSchema, examples: Examples): object {
  const shown = Object.entries(properties as Record<string, JsonSchema>).filter(
    ([field, { example }]) => (required as string[]).includes(field) || (examples.isAnswer && example !== undefined),
  );
  return Object.fromEntries(shown.map(([field, inner]) => [field, composeExample(inner, examples)]));
}
