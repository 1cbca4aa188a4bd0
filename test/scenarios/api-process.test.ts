import { adminsIn } from '../http/admin-users/admins.ts';
import { type ApiProcess, startApiProcess } from '../support/api-process.ts';
import { gatewayForTests } from '../support/gateway.ts';
import { expectOk } from '../support/given.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';

const gateway = gatewayForTests({ worker: false });

let api: ApiProcess;
afterEach(() => api.end());

const noOwner = 'setup: there is no admin user yet';
const warnings = () => api.lines.filter(({ level, msg }) => level === 40 && msg === noOwner);

test.each(['open', 'master-key', 'off'])(
  'an api that starts with SETUP=%s and without an admin user logs one warning',
  async (setup) => {
    api = await startApiProcess(gateway.current, { SETUP: setup });
    await until(async () => warnings().length > 0);

    expect(warnings()).toEqual([expect.objectContaining({ setup, protection: expect.any(String) })]);
  },
);

test('the port METRICS_PORT of an api serves its metrics without a key and nothing else', async () => {
  api = await startApiProcess(gateway.current, { METRICS_PORT: '0' });
  const { metrics_url } = api.lines.find(({ msg }) => msg === 'api: listening');
  const { origin } = new URL(metrics_url);
  await sendRequest(api.url, 'get', '/health');

  const shown = await sendRequest(origin, 'get', '/metrics');

  expect(origin).not.toBe(api.url);
  expect(shown.text).toContain('gateway_requests_total{method="GET",path="/health",status="200"} 1');
  for (const path of ['/', '/health', '/docs', '/api/organizations', '/metrics?a=1'])
    expect((await sendRequest(origin, 'get', path)).status).toBe(404);
  const { received } = await sendRaw(origin, rawRequest('GET /metrics', { Host: 'evil.example', Connection: 'close' }));
  expect(received).toMatch(/^HTTP\/1\.1 421 /);
  expect((await sendRequest(api.url, 'get', '/metrics')).status).toBe(401);
});

test('an api without TRUST_PROXY that receives X-Forwarded-For logs one warning', async () => {
  api = await startApiProcess(gateway.current);
  const forwarded = () =>
    api.lines.filter(({ level, msg }) => level === 40 && msg.startsWith('proxy: X-Forwarded-For'));
  await sendRequest(api.url, 'get', '/health');
  expect(forwarded()).toEqual([]);

  for (const address of ['192.0.2.1', '192.0.2.2'])
    await sendRequest(api.url, 'get', '/health', { headers: { 'x-forwarded-for': address } });
  await until(async () => api.lines.filter(({ path }) => path === '/health').length === 3);

  expect(forwarded()).toHaveLength(1);
});

test('an api that starts with TRUST_PROXY and with an owner logs no warning', async () => {
  await adminsIn(gateway).owner();
  api = await startApiProcess(gateway.current, { TRUST_PROXY: '1' });

  expectOk(await sendRequest(api.url, 'get', '/health', { headers: { 'x-forwarded-for': '192.0.2.1' } }));
  expectOk(await sendRequest(api.url, 'get', '/api/admin-users/setup/status'));
  await until(async () => api.lines.some(({ path }) => path === '/api/admin-users/setup/status'));

  expect(api.lines.filter(({ level }) => level >= 40)).toEqual([]);
});
