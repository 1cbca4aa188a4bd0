import { type Gateway, startGateway } from '../support/gateway.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';

const whole = (received: string) => received.includes('\r\n\r\n') && received.endsWith('}');

async function statusOf(gateway: Gateway, host: string, target = '/health'): Promise<number> {
  const { received } = await sendRaw(gateway.url, rawRequest(`GET ${target}`, { Host: host }), whole);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
}

const loopbackNames = ['localhost', 'LocalHost:8000', 'localhost.', 'app.localhost:1', '127.0.0.1', '127.8.9.10:8000'];
const loopbackAddresses = ['[::1]', '[::1]:8000', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]:8000'];
const foreignNames = [
  'evil.example',
  'evil.example:8000',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'notlocalhost',
  '128.0.0.1',
  '10.0.0.1:8000',
  '[::2]',
  '0.0.0.0',
  '',
];

let onLoopback: Gateway;
let everywhere: Gateway;
let limited: Gateway;
beforeAll(async () => {
  [onLoopback, everywhere, limited] = await Promise.all([
    startGateway({ worker: false, settings: { ALLOWED_HOSTS: 'Desk.example., 192.0.2.7,[2001:DB8:0::7]' } }),
    startGateway({ worker: false, settings: { HOST: '0.0.0.0' } }),
    startGateway({ worker: false, settings: { HOST: '0.0.0.0', ALLOWED_HOSTS: 'gateway.example' } }),
  ]);
});
afterAll(() => Promise.all([onLoopback, everywhere, limited].map((one) => one.close())));

test.each([...loopbackNames, ...loopbackAddresses])(
  'the host %p is served by an api on any address (spec 1.10)',
  async (host) => {
    expect(await statusOf(onLoopback, host)).toBe(200);
    expect(await statusOf(limited, host)).toBe(200);
    expect(await statusOf(everywhere, host)).toBe(200);
  },
);

test.each(foreignNames)(
  'the host %p is not served by an api on a loopback address, but on other addresses (spec 1.10)',
  async (host) => {
    expect(await statusOf(onLoopback, host)).toBe(421);
    expect(await statusOf(everywhere, host)).toBe(200);
  },
);

test('an api on a loopback address serves the names of ALLOWED_HOSTS too, with any port and in any case (spec 1.10)', async () => {
  const hosts = ['desk.example', 'DESK.example.:8000', '192.0.2.7:8000', '[2001:db8::7]:8000'];

  for (const host of hosts) expect(await statusOf(onLoopback, host)).toBe(200);
  expect(await statusOf(onLoopback, 'www.desk.example')).toBe(421);
});

test('an api on another address with ALLOWED_HOSTS serves only these and loopback names (spec 1.10)', async () => {
  expect(await statusOf(limited, 'gateway.example:443')).toBe(200);
  expect(await statusOf(limited, 'desk.example')).toBe(421);
});

test.each(['/health', '/nowhere', '/docs', '/openapi.json', '/metrics', '/api/admin-users/setup', '/api/%zz'])(
  'a foreign host is refused at %s before any other check (spec 1.2, spec 1.10)',
  async (path) => {
    const { received } = await sendRaw(
      onLoopback.url,
      rawRequest(
        `POST ${path}`,
        { Host: 'evil.example', 'Content-Type': 'application/json', 'Content-Length': '1' },
        '{',
      ),
      whole,
    );

    expect(received).toMatch(/^HTTP\/1\.1 421 /);
    expect(received).toContain('\r\nX-Request-Id: ');
    expect(received).toContain(
      '\r\n\r\n{"detail":"Misdirected request: this host name is not served. The setting ALLOWED_HOSTS adds names"',
    );
  },
);

test.each([
  ['http://localhost:8000/health', 'localhost', 200],
  ['http://evil.example/health', 'localhost', 421],
  ['http://localhost/health', 'evil.example', 421],
  ['http://evil.example', 'evil.example', 421],
  ['HTTPS://evil.example:443/health?a=http://localhost/', 'localhost', 421],
  ['http://localhost@evil.example/health', 'localhost', 400],
  ['http://a/b@localhost/health', 'localhost', 421],
])('both names of the target %s with the host %p have to be served', async (target, host, status) => {
  expect(await statusOf(onLoopback, host, target)).toBe(status);
});

test('HTTP/1.0 without a host is served, with a foreign one it is not', async () => {
  const without = await sendRaw(onLoopback.url, 'GET /health HTTP/1.0\r\n\r\n', whole);
  const foreign = await sendRaw(onLoopback.url, 'GET /health HTTP/1.0\r\nHost: evil.example\r\n\r\n', whole);

  expect(without.received).toMatch(/^HTTP\/1\.1 200 /);
  expect(foreign.received).toMatch(/^HTTP\/1\.1 421 /);
});
