import { z } from 'zod';

/** A schema in OpenAPI's own dialect. */
export type JsonSchema = { [key: string]: unknown };

/** Formats that need no pattern: it would be noise in the documentation. */
const plainFormats = new Set(['date-time', 'date', 'uuid', 'uri']);

/**
 * What operations share: responses, and the schemas that have a name (`.meta({ id })`), collected while operations are
 * described. The input and the output schema of one name may differ, because a default is optional in one and present in the
 * other: then the later one is `<name>Input` or `<name>Output`.
 */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly responses: Record<string, JsonSchema> = {};

  /** A reference to a response that many operations have. A response of other content under the same name is not shared. */
  share(name: string, response: JsonSchema): JsonSchema {
    this.responses[name] ??= response;
    const isSame = JSON.stringify(this.responses[name]) === JSON.stringify(response);
    return isSame ? { $ref: `#/components/responses/${name}` } : response;
  }

  /** The schema that a `$ref` of this document refers to. */
  readonly lookup = (reference: string): JsonSchema =>
    this.schemas[reference.replace('#/components/schemas/', '')] ?? {};

  describe(schema: z.ZodType, io: Io): JsonSchema {
    const described = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
    }) as JsonSchema;
    const named: Record<string, JsonSchema> = {};
    const own = takeNamed(described, named);
    const names = this.namesFor(named, io);
    for (const [id, definition] of Object.entries(named))
      this.schemas[names.get(id)!] = point(definition, names, named, io);
    return point(own, names, named, io);
  }

  /** If another schema has one of the names, all of these get a suffix, because a schema that refers to the renamed one differs too. */
  private namesFor(named: Record<string, JsonSchema>, io: Io): Map<string, string> {
    const plain = new Map(Object.keys(named).map((id) => [id, id]));
    const differs = Object.entries(named).some(([id, definition]) => {
      const present = this.schemas[id];
      return present && JSON.stringify(present) !== JSON.stringify(point(definition, plain, named, io));
    });
    const suffix = io === 'input' ? 'Input' : 'Output';
    return differs ? new Map(Object.keys(named).map((id) => [id, id + suffix])) : plain;
  }
}

function tidy(schema: JsonSchema): void {
  delete schema.id;
  // Answers may gain fields: that is no breaking change for clients.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  // Without it Go and others read money as a float of 32 bits.
  if (schema.type === 'number') schema.format ??= 'double';
  if (plainFormats.has(String(schema.format))) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/**
 * The schema without its `definitions`, which are added to `named`. They are at its top, and in each part that has the documentation of
 * another schema.
 */
function takeNamed(schema: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const { definitions = {}, properties, ...rest } = schema;
  for (const [id, definition] of Object.entries(definitions as Record<string, JsonSchema>)) {
    named[id] = takeNamed(definition, named);
    tidy(named[id]);
  }
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return typeof value === 'object' && value !== null ? takeNamed(value as JsonSchema, named) : value;
  };
  const parts = Object.entries(rest).map(([key, value]) => [key, key === 'example' ? value : inner(value)]);
  const fields = Object.entries((properties ?? {}) as Record<string, JsonSchema>).map(([key, value]) => [
    key,
    takeNamed(value, named),
  ]);
  return { ...Object.fromEntries(parts), ...(properties ? { properties: Object.fromEntries(fields) } : {}) };
}

type Io = 'input' | 'output';
type Named = Readonly<Record<string, JsonSchema>>;

/**
 * OpenAPI 3.0.3: `nullable` means something only beside a `type`, and generators of code take no null in an enum. A reference with
 * other keywords beside it is a list of one.
 */
function withNull(value: JsonSchema, named: Named, io: Io): JsonSchema {
  const { nullable, anyOf, $ref, ...rest } = value;
  if (nullable !== true) return value;
  if (Array.isArray(rest.enum)) {
    const { enum: values, ...others } = rest;
    const words = (values as unknown[]).filter((one) => one !== null);
    return { ...others, ...(words.length > 0 && { enum: words }), nullable };
  }
  if (rest.type !== undefined) return value;
  if (Array.isArray(anyOf)) {
    const [first, ...others] = anyOf as JsonSchema[];
    return { ...rest, anyOf: [withNull({ ...first, nullable }, named, io), ...others] };
  }
  const [referred] = $ref ? [{ $ref }] : ((rest.allOf ?? []) as JsonSchema[]);
  if (!referred) return value;
  const { $ref: reference, ...beside } = referred;
  const target = named[nameIn(reference)] ?? {};
  const { allOf: _, ...own } = { ...beside, ...rest };
  if (io === 'output') return nullableAnswer(target, own);
  const { type } = target;
  return { ...own, ...(type !== undefined && { type }), nullable, allOf: [{ $ref: reference }] };
}

/**
 * Generators such as openapi-python-client read no null for a reference, so an answer has none: an object is written out, and of a word
 * the description has the words.
 */
function nullableAnswer({ enum: words, id: _, ...target }: JsonSchema, own: JsonSchema): JsonSchema {
  const whole: JsonSchema = { ...target, ...own, nullable: true };
  if (!Array.isArray(words)) return whole;
  const listed = words.map((word) => `\`${word}\``).join(', ');
  return { ...whole, description: `${whole.description ?? ''}. One of ${listed}`.replace(/^\. /, '') };
}

const nameIn = (reference: unknown): string => String(reference).replace('#/definitions/', '');

/** The same schema, with its references leading to the components. */
function point<T>(value: T, names: ReadonlyMap<string, string>, named: Named, io: Io): T {
  if (Array.isArray(value)) return value.map((item) => point(item, names, named, io)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const schema = withNull(value as JsonSchema, named, io);
  const entries = Object.entries(schema).map(([key, inner]) => {
    const isReference = key === '$ref' && typeof inner === 'string';
    return [key, isReference ? `#/components/schemas/${names.get(nameIn(inner))}` : point(inner, names, named, io)];
  });
  return alone(Object.fromEntries(entries)) as T;
}

/** A list of one schema without other keywords is that schema, and a reference with other keywords is a list of one. */
export function alone(schema: JsonSchema): JsonSchema {
  const [keyword = '', ...others] = Object.keys(schema);
  const listed = schema[keyword];
  if (others.length === 0 && ['allOf', 'anyOf'].includes(keyword) && Array.isArray(listed) && listed.length === 1)
    return listed[0] as JsonSchema;
  const { $ref, ...beside } = schema;
  return typeof $ref === 'string' && others.length > 0 ? { ...beside, allOf: [{ $ref }] } : schema;
}
