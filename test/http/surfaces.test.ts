import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { refuse } from '../../src/errors.ts';
import { apiSurface } from '../../src/http/api/surface.ts';
import { openApiDocument } from '../../src/http/openapi/document.ts';
import { route } from '../../src/http/route.ts';
import type { Surface } from '../../src/http/surface.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { sendRequest } from '../support/send-request.ts';

const other: Surface = {
  ...apiSurface,
  prefix: '/other/',
  errorBody: ({ status, code, detail }) => ({ error: { status, code: code ?? null, message: detail } }),
};

const common = {
  operationId: 'refuse',
  method: 'post',
  summary: 'Refuses',
  tag: 'Test',
  access: { audience: ['admin'] },
  response: z.object({}),
} as const;
const handle = async () => {
  throw refuse('budget_invalid', 'no');
};
const body = { schema: z.object({ name: z.string() }) };
const routes = [
  route({ ...common, path: '/other/refuse', surface: other, body }, handle),
  route({ ...common, path: '/api/refuse', body }, handle),
];
const gateway = gatewayForTests({ worker: false, routes });

const send = (path: string, method = 'post', headers = {}) =>
  sendRequest(gateway.current.url, method, path, { key: gateway.current.masterKey, body: { name: 'x' }, headers });

test('every error of a route has the form of its surface, also if it is stored for an Idempotency-Key', async () => {
  const key = { 'idempotency-key': randomUUID() };

  const refused = [
    await send('/other/refuse'),
    await send('/other/refuse', 'post', key),
    await send('/other/refuse', 'post', key),
  ];
  const invalid = await sendRequest(gateway.current.url, 'post', '/other/refuse', {
    key: gateway.current.masterKey,
    body: {},
  });
  const wrongMethod = await send('/other/refuse', 'put');
  const noKey = await sendRequest(gateway.current.url, 'post', '/other/refuse', { body: {} });

  for (const { body } of refused)
    expect(body).toEqual({ error: { status: 400, code: 'budget_invalid', message: 'no' } });
  expect(refused[2]!.headers.get('idempotent-replayed')).toBe('true');
  expect(invalid.body.error).toMatchObject({
    status: 422,
    code: 'request_invalid',
    message: [{ loc: ['body', 'name'] }],
  });
  expect(wrongMethod.body.error).toMatchObject({ status: 405, code: 'method_not_allowed' });
  expect(noKey.body.error).toMatchObject({ status: 401, code: 'admin_key_missing' });
});

test('a route that names no surface, and an unknown path, have the errors of the api (spec 1.3)', async () => {
  expect((await send('/api/refuse')).body).toEqual({ detail: 'no', code: 'budget_invalid' });
  expect((await send('/nowhere')).body).toEqual({
    detail: 'Not Found: /openapi.json lists every path',
    code: 'path_not_found',
  });
});

test('the documentation of a route shows the errors of its surface', () => {
  const { components } = openApiDocument(routes.slice(0, 1)) as { components: unknown };

  expect(JSON.stringify(components)).toContain('"error":{"status":401,"code":"admin_key_invalid"');
  expect(JSON.stringify(components)).not.toContain('"detail":"Invalid admin credential"');
});
