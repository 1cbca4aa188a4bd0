type Schema = Record<string, unknown>;

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The simplest value that a JSON schema allows: every property, one item, the first choice. Deep or cyclic schemas end in null. */
export function fillSchema(schema: unknown, seed: string, depth = 0): unknown {
  if (!isSchema(schema) || depth > 8) return null;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (Array.isArray(choices)) return fillSchema(choices[0], seed, depth + 1);
  return fillType(schema, seed, depth);
}

function fillType(schema: Schema, seed: string, depth: number): unknown {
  const type = Array.isArray(schema.type)
    ? schema.type[0]
    : (schema.type ?? (schema.properties ? 'object' : undefined));
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, inner]) => [name, fillSchema(inner, seed, depth + 1)]),
      );
    case 'array':
      return [fillSchema(schema.items, seed, depth + 1)];
    case 'string':
      return seed;
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1;
    case 'boolean':
      return true;
    default:
      return null;
  }
}
