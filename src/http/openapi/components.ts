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

  describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { definitions: named = {}, ...own } = z.toJSONSchema(schema, {
      target: 'openapi-3.0',
      io,
      unrepresentable: 'any',
      override: ({ jsonSchema }) => tidy(jsonSchema as JsonSchema),
    }) as { definitions?: Record<string, JsonSchema> };
    const names = this.namesFor(named, io);
    for (const [id, definition] of Object.entries(named)) this.schemas[names.get(id)!] = point(definition, names);
    return point(own, names);
  }

  /** If another schema has one of the names, all of these get a suffix, because a schema that refers to the renamed one differs too. */
  private namesFor(named: Record<string, JsonSchema>, io: 'input' | 'output'): Map<string, string> {
    const plain = new Map(Object.keys(named).map((id) => [id, id]));
    const differs = Object.entries(named).some(([id, definition]) => {
      const present = this.schemas[id];
      return present && JSON.stringify(present) !== JSON.stringify(point(definition, plain));
    });
    const suffix = io === 'input' ? 'Input' : 'Output';
    return differs ? new Map(Object.keys(named).map((id) => [id, id + suffix])) : plain;
  }
}

function tidy(schema: JsonSchema): void {
  delete schema.id;
  // Answers may gain fields: that is no breaking change for clients.
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (plainFormats.has(String(schema.format))) delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

/** OpenAPI 3.0.3: `nullable` lets null through an enum only when the enum has it too, and only beside a type. */
function withNull(value: JsonSchema): JsonSchema {
  if (value.nullable !== true) return value;
  if (Array.isArray(value.enum) && !value.enum.includes(null)) return { ...value, enum: [...value.enum, null] };
  if (!Array.isArray(value.anyOf) || value.type !== undefined) return value;
  const { nullable, anyOf, ...rest } = value;
  const [first, ...others] = anyOf as JsonSchema[];
  return { ...rest, anyOf: [withNull({ ...first, nullable }), ...others] };
}

/** The same schema, with its references leading to the components. */
function point<T>(value: T, names: ReadonlyMap<string, string>): T {
  if (Array.isArray(value)) return value.map((item) => point(item, names)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => {
    const id = key === '$ref' && typeof inner === 'string' ? inner.replace('#/definitions/', '') : undefined;
    return [key, id === undefined ? point(inner, names) : `#/components/schemas/${names.get(id)}`];
  });
  return withNull(Object.fromEntries(entries)) as T;
}
