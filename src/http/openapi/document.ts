import { version } from '../../version.ts';
import type { Route } from '../route.ts';
import { apiSurface } from '../surfaces/api.ts';
import { Components, type JsonSchema } from './components.ts';
import { headers, parameters, securitySchemes } from './fixed-components.ts';
import { operationOf } from './operation.ts';

const description = `A multi-tenant gateway in front of large language models that bills outcomes: a job is as many LLM calls as it
takes, and costs one credit when it completes without a failed call.

An admin creates an organization, a model group and a team, whose answer shows its virtual key. With that key the team
creates a job, makes calls in it and completes it; \`create-and-call\` does all three for a job of one call. An admin has the
platform key, or the access token of an admin user.

Every error has a \`detail\`: a sentence, or for 422 a list of what is wrong and where. A path that is not here is a 404; a
method that a path does not have is a 405 with \`Allow\`; a \`Host\` that the installation does not serve is a 421. What is no
HTTP is a 400, 408 or 431 in the same shape, and ends the connection.

A body has at most 1 MiB, that of an LLM call 10 MiB, and not more than 100,000 keys and values.

Where the installation or the team has no other limits, the endpoints of organizations and teams take 100 GET and 30 other
requests a minute from each credential, those of LLM calls 60 requests and 60,000 tokens a minute from each team. The
\`X-RateLimit-*\` headers tell what is left.`;

/** The descriptions of the routes' tags. */
const tagDescriptions: Record<string, string> = {
  Organizations: 'The tenants. Each has teams.',
  Teams: 'Teams, with their keys, settings and model groups.',
  Credits: 'Balances, the ledger, and what a credit is worth.',
  Usage: 'What a month came to: jobs, tokens, costs and credits.',
  'LLM calls': 'Calls within a job.',
  'Single-call jobs': 'A job and its one call, in one request.',
  Jobs: 'A job from its creation to its end, what it cost, and lists of jobs.',
  Models: 'What teams may ask for by name, and the concrete models behind it.',
  'Admin users': 'The people who manage the platform, their sessions, and the audit log.',
  Webhooks: 'Who is told what happens to jobs, and what was sent to them.',
  Probes: 'Whether the service works, and its metrics.',
  Documentation: 'This document, and a page that shows it.',
};

const info = { title: 'Job-Based LLM Gateway', version, description };
/** The beginning of this document. */
const openApiExample = { openapi: '3.0.3', info: { title: info.title, version }, paths: {} };

/** Paths that are served beside the routes, such as the documentation. */
const besides: JsonSchema = {
  '/openapi.json': {
    get: page('get_openapi_json', 'This document', 'application/json', { type: 'object' }, openApiExample),
  },
  '/docs': { get: page('get_docs', 'Interactive documentation', 'text/html', { type: 'string' }) },
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
  return { operationId, summary, tags: ['Documentation'], security: [], responses: { 200: ok } };
}

const tagOf = (name: string): JsonSchema => ({ name, description: tagDescriptions[name] });

const byName = (all: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));

/** The interface as OpenAPI 3.0.3, from the routes and nothing else. */
export function openApiDocument(routes: readonly Route[]): JsonSchema {
  const components = new Components();
  const surfaces = new Set(routes.map(({ spec }) => spec.surface ?? apiSurface));
  for (const { errorSchemas } of surfaces) components.describe(errorSchemas, 'output');
  const paths: Record<string, JsonSchema> = {};
  for (const { spec } of routes) {
    paths[spec.path] = { ...paths[spec.path], [spec.method]: operationOf(spec, components) };
  }
  return {
    openapi: '3.0.3',
    info,
    servers: [{ url: '/' }],
    tags: [...new Set([...routes.map(({ spec }) => spec.tag), 'Documentation'])].map(tagOf),
    paths: { ...paths, ...besides },
    components: {
      schemas: byName(components.schemas),
      responses: byName(components.responses),
      securitySchemes,
      parameters,
      headers,
    },
  };
}
