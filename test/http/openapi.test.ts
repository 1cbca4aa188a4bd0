import { globSync, readFileSync } from 'node:fs';
import { listInterface } from '../../scripts/list-interface.ts';
import { refusals } from '../../src/errors.ts';
import { codesOfOidc } from '../../src/http/api/surface.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { refusalsOf } from '../../src/http/openapi/route-refusals.ts';
import { routes } from '../../src/http/routes.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { type Json, sendRequest } from '../support/send-request.ts';

const gateway = gatewayForTests({ worker: false });
const generated: Json = JSON.parse(JSON.stringify(openApiDocument(routes)));

const operations = Object.entries<Json>(generated.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, operation]) => ({ path, method, operation })),
);

test('docs/api lists the interface of the routes: if not, run `npm run openapi`', () => {
  const folder = new URL('../../docs/api/', import.meta.url);
  const committed = globSync('*', { cwd: folder }).map((file) => [file, readFileSync(new URL(file, folder), 'utf8')]);

  expect(Object.fromEntries(committed)).toEqual(listInterface(generated));
});

test('the list of the interface has a line for each field, parameter and status, with what binds it and without examples', () => {
  const text = { type: 'string', maxLength: 5, description: 'A name', example: 'Ada' };
  const thing = {
    type: 'object',
    properties: { name: text, tags: { type: 'array', items: text } },
    required: ['name'],
  };
  const schema = { $ref: '#/components/schemas/Thing' };
  const operation = {
    operationId: 'put_thing',
    tags: ['Two words'],
    security: [{ key: [] }, { cookie: [] }],
    parameters: [{ $ref: '#/components/parameters/Id' }],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      200: { headers: { 'X-Id': {} }, content: { 'text/event-stream': { schema } } },
      404: { $ref: '#/components/responses/Gone' },
    },
  };
  const components = {
    schemas: { Thing: thing },
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', nullable: true } } },
    responses: { Gone: { content: { 'application/json': { schema, examples: { thing_not_found: {} } } } } },
    headers: { 'X-Id': { schema: { type: 'string' } } },
  };

  expect(listInterface({ paths: { '/things/{id}': { put: operation } }, components })).toEqual({
    'two-words.txt': [
      'PUT /things/{id} (put_thing)',
      '  credential: key | cookie',
      '  path id: integer | null',
      '  body: Thing',
      '  200 text/event-stream Thing [X-Id]',
      '  404 Thing: thing_not_found []',
      '',
      'Thing: object',
      '  name: string (maxLength 5)',
      '  tags?: array of (string (maxLength 5))',
      '',
    ].join('\n'),
    'shared.txt': 'X-Id: string\n',
  });
});

test('/openapi.json serves the document unchanged (spec 14.6)', async () => {
  const answer = await sendRequest(gateway.current.url, 'get', '/openapi.json');

  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expect(answer.body).toEqual(generated);
  expect(answer.body.openapi).toBe('3.0.3');
});

test('every reference of the OpenAPI document resolves, and every component is used', () => {
  const referred = new Set(JSON.stringify(generated).match(/#\/components\/\w+\/[\w.-]+/g));
  const present = Object.entries<Json>(generated.components).flatMap(([kind, all]) =>
    Object.keys(all).map((name) => `#/components/${kind}/${name}`),
  );

  expect([...referred].filter((one) => !present.includes(one))).toEqual([]);
  expect(present.filter((one) => !referred.has(one) && !one.includes('/securitySchemes/'))).toEqual([]);
});

test('every operation of the OpenAPI document has a unique id, its path parameters and its credentials', () => {
  const ids = operations.map(({ operation }) => operation.operationId).filter(Boolean);

  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    const inPath = (operation.parameters ?? []).filter((one: Json) => one.in === 'path').map((one: Json) => one.name);
    expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
    for (const scheme of operation.security.flatMap(Object.keys))
      expect(generated.components.securitySchemes).toHaveProperty(scheme);
  }
});

const described = routes.filter(({ spec }) => !spec.withHeader);

test.each(described.map(({ spec }) => [`${spec.method} ${spec.path}`, spec] as const))(
  'the examples of %s are valid for its schemas',
  (_name, spec) => {
    const operation = generated.paths[spec.path.replace('{+', '{')][spec.method];
    const taken = operation.requestBody?.content['application/json'].example;
    const answered = operation.responses[200].content['application/json']?.example;

    if (spec.body) expect(spec.body.schema.safeParse(taken).error).toBeUndefined();
    if (answered !== undefined) expect(spec.response.safeParse(answered).error).toBeUndefined();
  },
);

/** Of any path, and of what is not HTTP. */
const everywhere = ['path_not_found', 'method_not_allowed', 'headers_too_large', 'request_timeout'];

test('the session cookie is a credential of every operation with one, but for what only the key of a team may do (spec 14.6, spec 19.4)', () => {
  const withoutCookie = operations
    .filter(({ operation: { security } }) => security.some((one: Json) => one.virtualKey || one.adminToken))
    .filter(({ operation: { security } }) => !security.some((one: Json) => one.sessionCookie));

  expect(withoutCookie.map(({ operation }) => operation.operationId).toSorted()).toEqual([
    'callInJob',
    'cancelResponse',
    'completeJob',
    'countMessageTokens',
    'countResponseInputTokens',
    'createAndCall',
    'createAndStreamCall',
    'createChatCompletion',
    'createEmbeddings',
    'createJob',
    'createMessage',
    'createResponse',
    'deleteResponse',
    'streamCallInJob',
    'updateJobMetadata',
  ]);
});

test('every refusal is documented at a route, but for those of pages (spec 14.6)', () => {
  const documented = new Set(routes.flatMap(({ spec }) => refusalsOf(spec)));

  const undocumented = Object.keys(refusals).filter(
    (code) =>
      !documented.has(code as keyof typeof refusals) &&
      !everywhere.includes(code) &&
      !codesOfOidc.some((one) => one === code),
  );

  expect(undocumented).toEqual([]);
});

test('the success of every operation is 200, or 202 and 204 where that is specified, and its other statuses are those of the specification (spec 1.1, spec 1.13)', () => {
  const statusesOf = (isIncluded: (path: string) => boolean) =>
    new Set(
      operations.filter(({ path }) => isIncluded(path)).flatMap(({ operation }) => Object.keys(operation.responses)),
    );
  const specification = readFileSync(new URL('../../docs/spec/01-http.md', import.meta.url), 'utf8');
  const [, table = ''] = specification.split('### <a id="1.13">');
  const specified = new Set(
    [...table.matchAll(/^\| (\d{3}[\d, ]*) \|/gm)].flatMap(([, statuses]) => statuses!.split(', ')),
  );

  expect([...statusesOf(() => true)].filter((status) => status < '400')).toEqual(['200', '202', '204']);
  expect([...statusesOf(() => true)].filter((status) => !specified.has(status))).toEqual([]);
});

test('every path but those of probes, documentation and OpenAI clients begins with /api, and has no version (spec 1.16, spec 1.17)', () => {
  const others = Object.keys(generated.paths).filter((path) => !/^\/api\/(?!v\d)/.test(path));

  expect(others.filter((path) => !/^\/(v1|health|metrics|docs|openapi\.json)(\/|$)/.test(path))).toEqual([]);
});

test('/docs loads nothing from another origin (spec 14.5)', async () => {
  const page = await sendRequest(gateway.current.url, 'get', '/docs');
  const parts = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
  const served = await Promise.all(parts.map((path) => sendRequest(gateway.current.url, 'get', path)));

  expect(page.status).toBe(200);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self';/);
  expect(parts).toHaveLength(4);
  expect(parts.every((path) => path.startsWith('/docs/'))).toBe(true);
  expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(served.map(({ headers }) => headers.get('content-type')?.split(';')[0])).toEqual([
    'text/css',
    'image/png',
    'text/javascript',
    'text/javascript',
  ]);
  expect((await sendRequest(gateway.current.url, 'post', '/docs')).headers.get('allow')).toBe('GET, HEAD');
});

test.each([
  { range: 'bytes=999999999-' },
  { range: 'bytes=0-9' },
  { 'if-match': '"x"' },
  { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' },
] as Record<string, string>[])(
  'a part of /docs that is requested with %j is sent whole (spec 14.5)',
  async (headers) => {
    const answer = await sendRequest(gateway.current.url, 'get', '/docs/swagger-ui.css', { headers });

    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(answer.text).toMatch(/^\.swagger-ui/);
  },
);

test('a cached part of /docs is not sent again (spec 14.5)', async () => {
  const path = '/docs/swagger-ui.css';
  const etag = (await sendRequest(gateway.current.url, 'get', path)).headers.get('etag')!;
  const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };

  expect((await sendRequest(gateway.current.url, 'get', path, { headers })).status).toBe(304);
});

test('/llms.txt lists pages that are served as Markdown, and so is what they link to (spec 14.7)', async () => {
  const get = (path: string) => sendRequest(gateway.current.url, 'get', path);
  const linked = (text: string) => [...text.matchAll(/\]\(([^()#:\s]+\.md)[^()\s]*\)/g)].map(([, path]) => path!);
  const list = await get('/llms.txt');
  const listed = linked(list.text).map((path) => `/${path}`);
  const pages = await Promise.all(listed.map(get));
  const further = pages.flatMap(({ text }, index) =>
    linked(text).map((path) => new URL(path, `http://docs${listed[index]}`).pathname),
  );

  expect(list.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(listed).toContain('/docs/api.md');
  expect(new Set(pages.map(({ status, headers }) => `${status} ${headers.get('content-type')}`))).toEqual(
    new Set(['200 text/markdown; charset=utf-8']),
  );
  for (const path of new Set(further)) expect([path, (await get(path)).status]).toEqual([path, 200]);
  expect((await sendRequest(gateway.current.url, 'post', '/docs/api.md')).status).toBe(405);
});
