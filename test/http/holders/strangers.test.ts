import { gatewayForTests } from '../../support/gateway.ts';
import { as, givenIn } from '../../support/given.ts';
import { sendRaw } from '../../support/raw.ts';
import { sendRequest } from '../../support/send-request.ts';

const limit = 20;
const origin = 'https://app.example';
const gateway = gatewayForTests({
  worker: false,
  // Behind a proxy, so that each test is another client.
  settings: { RATE_LIMIT_REQUESTS_PER_MINUTE: String(limit), TRUST_PROXY: 'true', CORS_ORIGINS: origin },
});
const given = givenIn(gateway);

let client = 0;
beforeEach(() => {
  client += 1;
});

interface Sent {
  method?: 'get' | 'post' | 'delete' | 'head' | 'options';
  headers?: Record<string, string>;
  key?: string;
}

const send = (path: string, { method = 'get', headers = {}, key }: Sent = {}) =>
  sendRequest(gateway.current.url, method as 'get', path, {
    key,
    headers: { 'X-Forwarded-For': `203.0.113.${client}`, ...headers },
  });

const preflight = { Origin: origin, 'Access-Control-Request-Method': 'POST' };

const requests: [what: string, status: number, path: string, sent: Sent][] = [
  ['the OpenAPI document', 200, '/openapi.json', {}],
  ['a part of /docs', 200, '/docs/swagger-ui.css', {}],
  ['an unknown path', 404, '/nowhere', {}],
  ['an unknown path with a wrong key', 404, '/v1/nowhere', { key: 'sk-wrong' }],
  ['a wrong method', 405, '/api/jobs', { method: 'delete' }],
  ['a preflight', 204, '/api/jobs', { method: 'options', headers: preflight }],
];

test.each(requests)(
  'requests for %s are refused beyond the limit of their network: %i, then 429 (spec 9.5)',
  async (_, status, path, sent) => {
    const statuses: number[] = [];
    for (let n = 0; n < limit + 2; n += 1) statuses.push((await send(path, sent)).status);

    expect(statuses).toEqual([...Array(limit).fill(status), 429, 429]);
  },
);

test('a 429 for a fixed file names the limit and the time at which it ends', async () => {
  for (let n = 0; n < limit; n += 1) await send('/docs');

  const { body, headers } = await send('/docs');

  expect(body).toEqual({ detail: 'Rate limit exceeded', code: 'rate_limited' });
  expect(headers.get('x-ratelimit-limit')).toBe(String(limit));
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('beyond twice the limit, the connection of such a request is closed without an answer (spec 9.5)', async () => {
  for (let n = 0; n < 2 * limit; n += 1) await send('/nowhere');

  const forwarded = `X-Forwarded-For: 203.0.113.${client}`;
  const { received, closed } = await sendRaw(
    gateway.current.url,
    `GET /nowhere HTTP/1.1\r\nHost: localhost\r\n${forwarded}\r\n\r\n`,
  );

  expect([received, closed]).toEqual(['', true]);
});

test('other networks, valid credentials and probes of a network beyond its limit are answered (spec 9.5)', async () => {
  const team = await given.team();
  for (let n = 0; n < limit + 1; n += 1) await send('/nowhere');

  expect((await send('/nowhere')).status).toBe(429);
  expect((await send('/api/jobs', { key: team.key })).status).toBe(200);
  expect((await as(gateway, team).get('/api/jobs')).status).toBe(200);
  for (const path of ['/health', '/health/live', '/health/ready']) expect((await send(path)).status).toBe(200);
  client += 100;
  expect((await send('/nowhere')).status).toBe(404);
});

test('probes of a network are refused beyond ten times the limit (spec 9.5)', async () => {
  const statuses: number[] = [];
  for (let n = 0; n < 10 * limit + 2; n += 1) statuses.push((await send('/health/live')).status);

  expect(statuses).toEqual([...Array(10 * limit).fill(200), 429, 429]);
});
