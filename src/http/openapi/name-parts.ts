import type { JsonSchema } from './components.ts';

type Schemas = Record<string, JsonSchema>;

const pascal = (name: string): string =>
  name
    .split(/[^a-zA-Z0-9]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * An object with fields, or an enum: generators make a type of it, and number those types that have no name. An object that may be null
 * stays where it is, because strict validators take no null for a reference.
 */
const isPart = ({ properties, nullable, enum: words }: JsonSchema): boolean =>
  (properties !== undefined && !nullable) || Array.isArray(words);

/**
 * Every object and enum within a schema as a schema of its own: field `summary` of `TeamUsage` is `TeamUsageSummary`, an entry of its list
 * `notes` is `TeamUsageNotesItem`. Decision 106.
 */
export function nameParts(schemas: Readonly<Schemas>): Schemas {
  const named: Schemas = {};
  const walk = (schema: JsonSchema, path: string): JsonSchema => {
    const { properties, items, additionalProperties, anyOf } = schema as Record<string, Schemas & JsonSchema[]>;
    const fields = Object.entries(properties ?? {}).map(([field, inner]) => [
      field,
      take(inner as JsonSchema, path + pascal(field)),
    ]);
    return {
      ...schema,
      ...(properties && { properties: Object.fromEntries(fields) }),
      ...(items && { items: take(items, `${path}Item`) }),
      ...(typeof additionalProperties === 'object' && {
        additionalProperties: take(additionalProperties, `${path}Value`),
      }),
      ...(anyOf && { anyOf: anyOf.map((one, index) => take(one, `${path}Option${index + 1}`)) }),
    };
  };
  /** A reference to the part under this name; the schema itself if it is no part, or if another one has the name. */
  const take = (schema: JsonSchema, name: string): JsonSchema => {
    const { nullable, description, example, ...part } = schema;
    if (!isPart(schema) || name in schemas || name in named) return walk(schema, name);
    named[name] = walk(part, name);
    const reference = { $ref: `#/components/schemas/${name}` };
    const beside = {
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
      ...(nullable !== undefined && { type: schema.type, nullable }),
    };
    return Object.keys(beside).length > 0 ? { ...beside, allOf: [reference] } : reference;
  };
  for (const [name, schema] of Object.entries(schemas)) named[name] = walk(schema, name);
  return named;
}
