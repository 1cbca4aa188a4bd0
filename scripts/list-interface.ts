type Json = Record<string, unknown>;
type Components = Record<'schemas' | 'responses' | 'parameters' | 'headers', Record<string, Json>>;

interface OpenApi {
  paths: Record<string, Record<string, Json>>;
  components: Components;
}

/** An operation without references to parameters and responses. */
interface Operation {
  title: string;
  tag: string;
  security: Json[];
  parameters: Json[];
  body: { required: boolean; content: Content } | undefined;
  responses: [status: string, { content?: Content; headers?: Json }][];
}

type Content = Record<string, { schema: Json; examples?: Json }>;

/** These explain a value and do not bind it, so that a change of them is no change of the interface. */
const explanations = new Set(['description', 'example']);

const nameIn = (reference: unknown): string => String(reference).split('/').at(-1)!;
const indent = (text: string): string => text.replaceAll('\n', '\n  ');

/** `string | null (minLength 1, maxLength 255)`: the type, and every other keyword of the schema by its name. */
function typeOf(schema: Json): string {
  const { type, nullable, enum: values, $ref, items, properties, required, anyOf, oneOf, allOf, additionalProperties, ...rest } = schema; // biome-ignore format: one list
  const types = [
    ...($ref ? [nameIn($ref)] : []),
    ...((values ?? []) as unknown[]).map((value) => JSON.stringify(value)),
    ...((anyOf ?? oneOf ?? allOf ?? []) as Json[]).map(typeOf),
    ...(items ? [`array of (${typeOf(items as Json)})`] : []),
    ...(properties ? [fieldsOf(schema)] : []),
    ...(additionalProperties ? [`map of (${typeOf(additionalProperties as Json)})`] : []),
  ];
  if (types.length === 0) types.push(String(type ?? 'anything'));
  if (nullable && !types.includes('null')) types.push('null');
  const others = Object.entries(rest).filter(([keyword, value]) => !explanations.has(keyword) && value !== 'double');
  const shown = others.map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`).join(', ');
  return types.join(allOf ? ' & ' : ' | ') + (shown && ` (${shown})`);
}

/** A line a field; `?`: it may be absent. */
function fieldsOf({ properties, required = [] }: Json): string {
  const fields = Object.entries(properties as Record<string, Json>).map(
    ([name, schema]) => `\n  ${name}${(required as string[]).includes(name) ? '' : '?'}: ${indent(typeOf(schema))}`,
  );
  return `object${fields.join('')}`;
}

const contentOf = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema }]) => `${type} ${typeOf(schema)}`)
    .join(' | ')
    .replaceAll('application/json ', '');

/** `409 Error: job_finished, request_in_progress [X-Request-Id, Retry-After]`: the content, the refusals and the headers. */
function responseOf([status, { content = {}, headers = {} }]: Operation['responses'][number]): string {
  const refusals = Object.keys(content['application/json']?.examples ?? {}).join(', ');
  return `${status} ${contentOf(content)}${refusals && `: ${refusals}`} [${Object.keys(headers).join(', ')}]`;
}

function linesOf({ title, security, parameters, body, responses }: Operation): string {
  const lines = [
    `credential: ${security.map((one) => Object.keys(one).join(' + ') || 'none').join(' | ') || 'none'}`,
    ...parameters.map(
      ({ name, in: location, required, schema }) =>
        `${location} ${name}${required ? '' : '?'}: ${typeOf(schema as Json)}`,
    ),
    ...(body ? [`body${body.required ? '' : '?'}: ${contentOf(body.content)}`] : []),
    ...responses.map(responseOf),
  ];
  return [title, ...lines.map((line) => `  ${indent(line)}`)].join('\n');
}

function operationsOf({ paths, components }: OpenApi): Operation[] {
  const resolve = (kind: keyof Components) => (value: Json) =>
    value.$ref ? components[kind][nameIn(value.$ref)]! : value;
  const byPath = Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1));
  return byPath.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, tags, security, parameters, requestBody, responses }]) => ({
      title: `${method.toUpperCase()} ${path} (${operationId})`,
      tag: (tags as string[])[0]!,
      security: security as Json[],
      parameters: ((parameters ?? []) as Json[]).map(resolve('parameters')),
      body: requestBody as Operation['body'],
      responses: Object.entries(responses as Json).map(([status, one]) => [status, resolve('responses')(one as Json)]),
    })),
  );
}

/** Adds the names of the schemas to which a value refers, directly or through another schema. */
function addNames(value: unknown, schemas: Record<string, Json>, names: Set<string>): Set<string> {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g))
    if (!names.has(name!)) addNames(schemas[name!], schemas, names.add(name!));
  return names;
}

/**
 * The interface as text for a reviewer, by the name of its file: for each tag its operations and the schemas that only they use, and in
 * `shared.txt` what several tags use. A line is a field, a parameter, a status or a header.
 */
export function listInterface(document: OpenApi): Record<string, string> {
  const { schemas, headers } = document.components;
  const byTag = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  const used = [...byTag].map(([tag, operations]) => ({ tag, names: addNames(operations, schemas, new Set()) }));
  const tagOf = (name: string): string => {
    const [tag = 'Shared', other] = used.filter(({ names }) => names.has(name)).map((one) => one.tag);
    return other ? 'Shared' : tag;
  };
  const schemasByTag = Map.groupBy(Object.keys(schemas), tagOf);
  const parts = [...byTag.keys(), 'Shared'].map((tag) => [
    `${tag.toLowerCase().replaceAll(' ', '-')}.txt`,
    ...(byTag.get(tag) ?? []).map(linesOf),
    ...(schemasByTag.get(tag) ?? []).map((name) => `${name}: ${typeOf(schemas[name]!)}`),
    ...(tag === 'Shared'
      ? Object.entries(headers).map(([name, { schema }]) => `${name}: ${typeOf(schema as Json)}`)
      : []),
  ]);
  return Object.fromEntries(parts.map(([file, ...entries]) => [file, `${entries.join('\n\n')}\n`]));
}
