import { rawRequest, sendRaw } from '../support/raw.ts';
import { installationForTests } from './support/installation.ts';
import type { Program } from './support/program.ts';

const installation = installationForTests({ worker: false });

async function statusFor({ url }: Program, host: string, line = 'GET /health'): Promise<number> {
  const { received } = await sendRaw(url, rawRequest(line, { Host: host, Connection: 'close' }));
  return Number(received.split(' ')[1]);
}

const foreign = [
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '192.168.0.7',
  '[2001:db8::1]',
];
const own = ['localhost', 'localhost:8000', 'LOCALHOST', '127.0.0.1', '127.0.0.1:1', '[::1]', '[::1]:8000'];

test.each(foreign)(
  'an api on a loopback address answers requests for the host %s with 421 (spec 1.10)',
  async (host) => {
    expect(await statusFor(installation.current.api, host)).toBe(421);
    expect(await statusFor(installation.current.api, host, 'GET /api/admin-users/setup/status')).toBe(421);
  },
);

test.each(own)('an api on a loopback address answers requests for the host %s with 200', async (host) => {
  expect(await statusFor(installation.current.api, host)).toBe(200);
});

test('an api on all addresses with ALLOWED_HOSTS serves these hosts and answers others with 421 (spec 1.10)', async () => {
  const api = await installation.current.startApi({ HOST: '0.0.0.0', ALLOWED_HOSTS: 'gateway.example,api.example' });

  expect(await statusFor(api, 'gateway.example')).toBe(200);
  expect(await statusFor(api, 'API.example:443')).toBe(200);
  expect(await statusFor(api, 'evil.example')).toBe(421);
  expect(await statusFor(api, 'api.example.evil.example')).toBe(421);
});

test('an api on all addresses without ALLOWED_HOSTS serves any host', async () => {
  const api = await installation.current.startApi({ HOST: '0.0.0.0' });

  expect(await statusFor(api, 'gateway.example')).toBe(200);
});
