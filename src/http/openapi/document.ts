import { z } from 'zod';
import { version } from '../../version.ts';
import type { Route } from '../route.ts';
import type { Surface } from '../surface.ts';
import { surfacesOf } from '../surfaces.ts';
import { Components, type JsonSchema } from './components.ts';
import { headers, parameters, securitySchemes } from './fixed-components.ts';
import { nameParts } from './name-parts.ts';
import { describeOperation } from './operation.ts';

const info = {
  title: 'Job-Based LLM Gateway',
  version,
  contact: { name: 'The operator of this installation' },
  license: { name: 'UNLICENSED' },
};
/** The beginning of this document. */
const openApiExample = { openapi: '3.0.3', info, paths: {} };

/** Paths that are served beside the routes, such as the documentation. */
const besides: JsonSchema = {
  '/openapi.json': {
    get: page('getOpenApi', 'This document', 'application/json', { type: 'object' }, openApiExample),
  },
  '/docs': { get: page('getDocs', 'Interactive documentation', 'text/html', { type: 'string' }) },
};

function page(
  operationId: string,
  summary: string,
  type: string,
  schema: JsonSchema,
  example?: JsonSchema,
): JsonSchema {
  const shownHeaders = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } };
  const ok = {
    description: 'Success',
    headers: shownHeaders,
    content: { [type]: { schema, ...(example && { example }) } },
  };
  const refused = { $ref: '#/components/responses/host_not_served' };
  const description = `${summary}.`;
  return {
    operationId,
    summary,
    description,
    tags: ['Documentation'],
    security: [],
    responses: { 200: ok, 421: refused },
  };
}

/** The tags that routes have, in their order, with the descriptions of their surfaces. */
function describeTags(routes: readonly Route[], surfaces: readonly Surface[]): JsonSchema[] {
  const descriptions: Record<string, string> = Object.assign({}, ...surfaces.map(({ docs }) => docs.tags));
  const names = new Set([...routes.map(({ spec }) => spec.tag), 'Documentation']);
  return [...names].map((name) => ({ name, description: descriptions[name] }));
}

const byName = (all: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Without the schemas that nothing refers to, because the answers that have them may be null and write them out. */
function used(schemas: Record<string, JsonSchema>, ...others: JsonSchema[]): Record<string, JsonSchema> {
  const text = JSON.stringify([schemas, ...others]);
  return Object.fromEntries(
    Object.entries(schemas).filter(([name]) => text.includes(`"#/components/schemas/${name}"`)),
  );
}

/** The interface as OpenAPI 3.0.3, from the routes and nothing else. */
export function openApiDocument(routes: readonly Route[]): JsonSchema {
  const components = new Components();
  const surfaces = surfacesOf(routes);
  for (const { docs } of surfaces) components.describe(z.object(docs.errorSchemas), 'output');
  const paths: Record<string, JsonSchema> = {};
  for (const { spec } of routes) {
    // It has one operation for a path and a method.
    if (spec.withHeader) continue;
    const path = spec.path.replace('{+', '{');
    paths[path] = { ...paths[path], [spec.method]: describeOperation(spec, components) };
  }
  return {
    openapi: '3.0.3',
    info: { ...info, description: surfaces.map(({ docs }) => docs.description).join('\n\n') },
    servers: [{ url: '/' }],
    tags: describeTags(routes, surfaces),
    paths: { ...paths, ...besides },
    components: {
      schemas: byName(used(nameParts(components.schemas), paths, components.responses)),
      responses: byName(components.responses),
      securitySchemes,
      parameters,
      headers,
    },
  };
}
