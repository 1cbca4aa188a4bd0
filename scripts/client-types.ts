type Json = Record<string, unknown>;

interface Operation {
  operationId: string;
  tags: string[];
  parameters?: Json[];
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json>; parameters: Record<string, Json> };
}

/** The parts of the interface that `clients/typescript` has methods for. */
const tags = new Set([
  'Jobs',
  'LLM calls',
  'Single-call jobs',
  'Webhooks',
  'Organizations',
  'Teams',
  'Credits',
  'Prices',
  'Usage',
  'Models',
  'Admin users',
]);

/** The client itself turns the pages of a list, and reads JSON. */
const ownParameters = new Set(['offset', 'cursor', 'format', 'tz']);

const nameIn = (reference: unknown): string => String(reference).split('/').at(-1)!;
const capitalized = (name: string): string => name[0]!.toUpperCase() + name.slice(1);
const indent = (text: string): string => text.replaceAll('\n', '\n  ');
const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);

const comment = (text: unknown): string =>
  typeof text === 'string' ? `/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s*\n\s*/g, ' ')} */\n` : '';

/** A schema as a type. Codes of errors are open: a later gateway may have more of them. */
export function typeOf(schema: Json): string {
  const { type, nullable, enum: values, $ref, items, properties, anyOf, oneOf, allOf, additionalProperties } = schema;
  const union = (anyOf ?? oneOf) as Json[] | undefined;
  const types = [
    ...($ref ? [nameIn($ref)] : []),
    ...((values ?? []) as unknown[]).map((value) => JSON.stringify(value)),
    ...(union ?? []).map(typeOf),
    ...(allOf ? [(allOf as Json[]).map(typeOf).join(' & ')] : []),
    ...(items ? [`Array<${typeOf(items as Json)}>`] : []),
    ...(properties ? [fieldsOf(schema)] : []),
    ...(additionalProperties && !properties ? [`Record<string, ${typeOf(additionalProperties as Json)}>`] : []),
  ];
  const scalars: Record<string, string> = { integer: 'number', object: 'Record<string, unknown>' };
  if (types.length === 0) types.push(type ? (scalars[String(type)] ?? String(type)) : 'unknown');
  if (nullable) types.push('null');
  return [...new Set(types.flatMap((one) => one.split(/ \| (?=null$)/)))].join(' | ');
}

/** `undefined` is allowed where a field may be absent: JSON leaves such a field out. */
function fieldsOf({ properties, required = [] }: Json): string {
  const fields = Object.entries(properties as Record<string, Json>).map(([name, schema]) => {
    const isRequired = (required as string[]).includes(name);
    const key = isIdentifier(name) ? name : JSON.stringify(name);
    const type = typeOf(schema) + (isRequired ? '' : ' | undefined');
    return indent(`\n${comment(schema.description)}${key}${isRequired ? '' : '?'}: ${type};`);
  });
  return `{${fields.join('')}\n}`;
}

function declaration(name: string, schema: Json): string {
  const body = name === 'ErrorCode' ? `${typeOf(schema)} | (string & {})` : typeOf(schema);
  return `${comment(schema.description)}${
    schema.properties && !schema.nullable ? `export interface ${name} ${body}` : `export type ${name} = ${body};`
  }\n`;
}

/** Adds the names of the schemas to which a value refers, directly or through another schema. */
function addNames(value: unknown, schemas: Record<string, Json>, names: Set<string>): Set<string> {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    if (!names.has(name!)) addNames(schemas[name!], schemas, names.add(name!));
  return names;
}

function queryOf({ operationId, parameters = [] }: Operation, components: OpenApiDocument['components']): string {
  const query = parameters
    .map((one) => (one.$ref ? components.parameters[nameIn(one.$ref)]! : one))
    .filter((one) => one.in === 'query' && !ownParameters.has(String(one.name)));
  if (query.length === 0) return '';
  // A list that has one entry may be given as that entry.
  const oneOrMore = (schema: Json): Json => (schema.items ? { anyOf: [schema.items, schema] } : schema);
  const properties = Object.fromEntries(
    query.map(({ name, description, schema }) => [name, { ...oneOrMore(schema as Json), description }]),
  );
  const required = query.filter((one) => one.required).map(({ name }) => name);
  return declaration(`${capitalized(operationId)}Query`, { properties, required });
}

/**
 * The types of the requests and answers that `clients/typescript` uses, from the OpenAPI document (decision 125).
 */
export function clientTypes({ paths, components }: OpenApiDocument): string {
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods) as unknown as Operation[])
    .filter((operation) => operation.tags?.some((tag) => tags.has(tag)));
  const names = addNames(
    operations,
    components.schemas,
    new Set(['Error', 'ErrorCode', 'HTTPValidationError', 'ValidationError']),
  );
  return [
    '// Generated from the OpenAPI document by `npm run openapi`. Do not edit.\n',
    ...Object.keys(components.schemas)
      .filter((name) => names.has(name))
      .map((name) => declaration(name === 'Error' ? 'ErrorBody' : name, components.schemas[name]!)),
    ...operations.map((operation) => queryOf(operation, components)).filter(Boolean),
  ].join('\n');
}
