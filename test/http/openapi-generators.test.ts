import { openApiDocument } from '../../src/http/openapi/document.ts';
import { routes } from '../../src/http/routes.ts';
import type { Json } from '../support/send-request.ts';

/** What generators of clients need of the document. `npm run test:generators` runs the generators themselves. */

const document: Json = JSON.parse(JSON.stringify(openApiDocument(routes)));

const operations = Object.values<Json>(document.paths).flatMap((methods) => Object.values<Json>(methods));

interface Place {
  path: string;
  schema: Json;
  isComponent: boolean;
}

/** A schema and every schema within it. Examples and words are no schemas. */
function placesIn(schema: Json, path: string, isComponent = false): Place[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (schema[key] ?? []) as Json[]);
  const fields = Object.entries<Json>(schema.properties ?? {});
  return [
    { path, schema, isComponent },
    ...fields.flatMap(([name, inner]) => placesIn(inner, `${path}.${name}`)),
    ...lists.flatMap((inner, index) => placesIn(inner, `${path}(${index})`)),
    ...placesIn(schema.items, `${path}[]`),
    ...placesIn(schema.additionalProperties, `${path}{}`),
  ];
}

const contents = (content: Json = {}): Json[] => Object.values<Json>(content);

const places = [
  ...Object.entries<Json>(document.components.schemas).flatMap(([name, schema]) => placesIn(schema, name, true)),
  ...operations.flatMap(({ operationId, parameters = [], requestBody, responses }) => [
    ...parameters.flatMap(({ name, schema }: Json) => placesIn(schema, `${operationId} ${name}`)),
    ...[requestBody, ...Object.values<Json>(responses)]
      .flatMap((one) => contents(one?.content))
      .flatMap(({ schema }) => placesIn(schema, operationId)),
  ]),
];
const pathsOf = (isWrong: (place: Place) => boolean): string[] => places.filter(isWrong).map(({ path }) => path);

test('the examined schemas of the OpenAPI document are all', () => {
  expect(places.length).toBeGreaterThan(2_000);
});

const verbs =
  /^(accept|add|adjust|allocate|call|cancel|change|check|complete|confirm|count|create|delete|disable|end|erase|get|invite|list|log|open|read|redeliver|refund|register|renew|replace|reset|resolve|resume|reveal|rotate|run|search|set|sign|start|stop|stream|suspend|test|update|watch|withdraw)(?=[A-Z]|$)/;

test('every operation is named by a verb and what it acts on, in lower camel case (spec 14.6)', () => {
  const names: string[] = operations.map(({ operationId }) => operationId);

  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  expect(names.filter((name) => !/^[a-z]+([A-Z][a-z0-9]*)*$/.test(name) || !verbs.test(name))).toEqual([]);
});

test('no enum of the OpenAPI document has null or a word twice, and each is a component of its own', () => {
  const isWrong = ({ schema, isComponent }: Place) =>
    Array.isArray(schema.enum) &&
    (!isComponent || schema.enum.includes(null) || new Set(schema.enum).size < schema.enum.length);

  expect(pathsOf(isWrong)).toEqual([]);
});

test('what may be null in the OpenAPI document has a type, because OpenAPI 3.0 reads nullable only beside one', () => {
  expect(pathsOf(({ schema }) => schema.nullable && !schema.type)).toEqual([]);
});

test('every object with fields in the OpenAPI document is a component of its own, unless it may be null', () => {
  expect(pathsOf(({ schema, isComponent }) => schema.properties && !isComponent && !schema.nullable)).toEqual([]);
});

test('a reference in the OpenAPI document stands alone, and no list of alternatives has one entry alone', () => {
  const isAlone = ({ schema }: Place) =>
    ['allOf', 'anyOf', 'oneOf'].some((key) => schema[key]?.length === 1 && Object.keys(schema).length === 1);

  expect(pathsOf(({ schema }) => schema.$ref && Object.keys(schema).length > 1)).toEqual([]);
  expect(pathsOf(isAlone)).toEqual([]);
});

const parameters: Json[] = operations.flatMap(({ operationId, parameters: all = [] }) =>
  all.map((one: Json) => ({ ...one, operationId })),
);

test('no parameter has alternatives: what may be given several times is a list, and what is an object has a style', () => {
  const ofSchema = (isWrong: (one: Json) => boolean) =>
    parameters.filter((one) => one.schema && isWrong(one)).map(({ operationId, name }) => `${operationId} ${name}`);
  const lists = parameters.filter(({ schema }) => schema?.type === 'array').map(({ name }) => name);

  expect(ofSchema(({ schema }) => schema.anyOf || schema.oneOf || schema.nullable)).toEqual([]);
  expect(ofSchema(({ schema, style }) => ['array', 'object'].includes(schema.type) && !style)).toEqual([]);
  expect([...new Set(lists)].toSorted()).toEqual(['include', 'status', 'topics']);
});

test('every header that a route reads is a parameter of its operation', () => {
  const read = routes.flatMap(({ spec }) =>
    Object.keys(spec.headers?.shape ?? {}).map((name) => `${spec.operationId} ${name}`),
  );
  const shown = parameters.map(({ operationId, name }) => `${operationId} ${name?.toLowerCase()}`);

  expect(read.length).toBeGreaterThan(0);
  expect(read.filter((one) => !shown.includes(one))).toEqual([]);
});

test('every operation, tag and the document itself have what linters require: a description, and one answer for a client error', () => {
  expect(operations.filter(({ description }) => !description)).toEqual([]);
  expect(
    operations.filter(({ responses }) => !Object.keys(responses).some((status) => status.startsWith('4'))),
  ).toEqual([]);
  expect(document.tags.filter(({ description }: Json) => !description)).toEqual([]);
  expect(document.info).toMatchObject({ contact: expect.anything(), license: expect.anything() });
});
