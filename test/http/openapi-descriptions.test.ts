import { openApiDocument } from '../../src/http/openapi/document.ts';
import { routes } from '../../src/http/routes.ts';
import type { Json } from '../support/send-request.ts';

const document: Json = JSON.parse(JSON.stringify(openApiDocument(routes)));

const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
);

interface Described {
  name: string;
  description: string | undefined;
}

/** The properties of a schema and of every schema within it, each with its path. */
function propertiesOf(schema: Json, path: string): Described[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries<Json>(schema.properties ?? {}).map(([name, { description, $ref }]) => ({
    name: `${path}.${name}`,
    // What has no description of its own has that of the schema that it refers to.
    description: description ?? document.components.schemas[$ref?.split('/').at(-1)]?.description,
  }));
  const nested = Object.entries<Json>(schema.properties ?? {}).flatMap(([name, inner]) =>
    propertiesOf(inner, `${path}.${name}`),
  );
  const parts = [
    schema.items,
    schema.additionalProperties,
    ...['allOf', 'anyOf', 'oneOf'].flatMap((key) => schema[key]),
  ];
  return [...own, ...nested, ...parts.flatMap((part) => propertiesOf(part, `${path}[]`))];
}

const contentOf = (content: Json): Json[] => Object.values<Json>(content ?? {}).map(({ schema }) => schema);

const schemas: [string, Json][] = [
  ...Object.entries<Json>(document.components.schemas),
  ...operations.flatMap(({ name, operation }) =>
    [operation.requestBody, ...Object.values<Json>(operation.responses)]
      .flatMap((body) => contentOf(body?.content))
      .map((schema): [string, Json] => [name, schema]),
  ),
];

const properties = schemas.flatMap(([name, schema]) => propertiesOf(schema, name));

const parameters: Described[] = [
  ...operations.flatMap(({ name, operation }) =>
    (operation.parameters ?? [])
      .filter((one: Json) => !one.$ref)
      .map((one: Json) => ({ ...one, name: `${name} ${one.name}` })),
  ),
  ...Object.values<Json>(document.components.parameters),
];

/** `team_id` described as "Team id" is not described. */
const onlyRepeats = ({ name, description = '' }: Described): boolean => {
  const words = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  return words(description) === words(name.split(/[ .]/).at(-1)!);
};

test('every property of every schema of the OpenAPI document has a description', () => {
  expect(properties.length).toBeGreaterThan(400);
  expect(properties.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
});

test('every parameter and every response header of the OpenAPI document has a description', () => {
  const headers = Object.entries<Json>(document.components.headers).map(([name, header]) => ({ ...header, name }));

  expect(parameters.length).toBeGreaterThan(100);
  expect([...parameters, ...headers].filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
});

test('no description of a property or parameter only repeats the name', () => {
  expect([...properties, ...parameters].filter(onlyRepeats)).toEqual([]);
});

test('every request body and every JSON answer with 200 of the OpenAPI document has an example', () => {
  const contents = operations.flatMap(({ name, operation }) => [
    { name: `body of ${name}`, content: operation.requestBody?.content['application/json'] },
    { name: `answer of ${name}`, content: operation.responses[200].content['application/json'] },
  ]);
  const shown = contents.filter(({ content }) => content !== undefined);

  expect(shown.length).toBeGreaterThan(80);
  expect(shown.filter(({ content }) => content.example === undefined).map(({ name }) => name)).toEqual([]);
});

test('no example of the OpenAPI document is an empty body or has a placeholder for a text', () => {
  const poor = operations.filter(({ operation }) => {
    const body = operation.requestBody?.content['application/json'].example;
    const answer = operation.responses[200].content['application/json']?.example;
    return (
      JSON.stringify(body) === '{}' ||
      /(?:(?<!"type"):|[[,])"(?:text|string)"(?!:)/.test(JSON.stringify([body, answer]))
    );
  });

  expect(poor.map(({ name }) => name)).toEqual([]);
});

const examplesOfStreams = routes
  .filter(({ spec }) => spec.streams)
  .map(({ spec }) => ({
    streams: spec.streams!,
    text: document.paths[spec.path][spec.method].responses[200].content['text/event-stream'].example as string,
  }));
const isNamed = ({ text }: { text: string }) => text.startsWith('event: ');

test('each event of the example of a stream is valid for the schema of an event, up to [DONE]', () => {
  const unnamed = examplesOfStreams.filter((one) => !isNamed(one));

  expect(unnamed.length).toBeGreaterThan(0);
  for (const { streams, text } of unnamed) {
    const events = text
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => line.slice('data: '.length));
    expect(events.pop()).toBe('[DONE]');
    for (const event of events) expect(streams.event.safeParse(JSON.parse(event)).error).toBeUndefined();
  }
});

test('each event of the example of a stream with named events is valid for the schema of an event', () => {
  const named = examplesOfStreams.filter(isNamed);

  expect(named.length).toBeGreaterThan(0);
  for (const { streams, text } of named)
    for (const [, data] of text.matchAll(/^data: (.*)$/gm))
      expect(streams.event.safeParse(JSON.parse(data!)).error).toBeUndefined();
});
