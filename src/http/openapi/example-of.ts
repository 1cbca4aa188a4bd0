import type { JsonSchema } from './components.ts';
import { byFormat, byName, keys, likely } from './example-values.ts';

/** Fields that make an example less clear. */
const omitted = new Set(['tools', 'tool_choice', 'tool_calls', 'response_format', 'stop', 'proxy_team_id']);

export interface Examples {
  /** The schema that a `$ref` refers to. */
  lookup(reference: string): JsonSchema;
  /** Answers are shown with every field, requests with the required ones. */
  everyField: boolean;
}

/** The example for the schema of a body, with the fields that a route has examples of its own for. */
export function exampleWith(own: object | undefined, schema: JsonSchema, examples: Examples): unknown {
  const example = exampleOf(schema, examples);
  return own ? { ...(example as object), ...own } : example;
}

/** An example for a schema; `name` is the field that it stands in. */
function exampleOf(schema: JsonSchema, examples: Examples, name = ''): unknown {
  if (schema.example !== undefined) return schema.example;
  if (typeof schema.$ref === 'string') return exampleOf(examples.lookup(schema.$ref), examples, name);
  const value = valueByName(schema, examples, name);
  if (value !== undefined) return value;
  if (Array.isArray(schema.enum)) return schema.enum.find((one) => likely.has(one)) ?? schema.enum[0];
  const [alternative] = (schema.allOf ?? schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];
  if (alternative) return exampleOf(alternative, examples, name);
  if (schema.type === 'object') return objectExample(schema, examples, name);
  if (schema.type === 'array') return [exampleOf(schema.items as JsonSchema, examples)];
  return schema.default ?? plainExample(schema);
}

/** The value that a field of this name has in the examples, if it fits the schema. */
function valueByName(schema: JsonSchema, { lookup }: Examples, name: string): unknown {
  const ofFormat = byFormat[String(schema.format)]?.(name);
  if (ofFormat !== undefined) return ofFormat;
  const value = byName[name];
  return fits(schema, value, lookup) ? value : undefined;
}

function fits(schema: JsonSchema, value: unknown, lookup: Examples['lookup']): boolean {
  if (value === null) return schema.nullable === true;
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  if (Array.isArray(value))
    return schema.type === 'array' && typeOf(schema.items as JsonSchema, lookup) === typeof value[0];
  // An object with declared fields is composed of the examples of these.
  if (typeof value === 'object') return schema.type === 'object' && !schema.properties;
  return schema.type === typeof value || (schema.type === 'integer' && Number.isInteger(value));
}

const typeOf = (schema: JsonSchema, lookup: Examples['lookup']): unknown =>
  typeof schema.$ref === 'string' ? lookup(schema.$ref).type : schema.type;

function objectExample(schema: JsonSchema, examples: Examples, name: string): unknown {
  if (typeof schema.additionalProperties === 'object' && name in keys)
    return { [keys[name]!]: exampleOf(schema.additionalProperties as JsonSchema, examples) };
  const required = new Set(schema.required as string[] | undefined);
  const shown = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).filter(
    ([field]) => required.has(field) || (examples.everyField && !omitted.has(field)),
  );
  return Object.fromEntries(shown.map(([field, inner]) => [field, exampleOf(inner, examples, field)]));
}

function plainExample({ type, minimum = 1 }: JsonSchema): unknown {
  switch (type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
      return Math.max(Number(minimum), 1);
    case 'boolean':
      return true;
    default:
      return {};
  }
}
