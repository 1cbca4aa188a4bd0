import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { launchTemporal } from '../../tools/dev/services/temporal/launch-temporal.ts';
import { serveUi } from '../../tools/dev/services/temporal/serve-ui.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';

let ui: Server;
let proxy: Awaited<ReturnType<typeof serveUi>>;
let received: string[];

beforeAll(async () => {
  ui = createServer(async (request, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('');
    received.push(`${request.method} ${request.url} ${request.headers.cookie ?? ''} ${body}`);
    response.writeHead(201, { 'Set-Cookie': ['a=1', 'b=2'], 'X-Own': 'yes' }).end('from the UI');
  });
  await once(ui.listen(0, '127.0.0.1'), 'listening');
  proxy = await serveUi({ host: '127.0.0.1', port: (ui.address() as AddressInfo).port });
});
beforeEach(() => {
  received = [];
});
afterAll(() => {
  proxy.server.close();
  proxy.server.closeAllConnections();
  ui.close();
  ui.closeAllConnections();
});

const statusFor = async (host: string, target = '/api/v1/namespaces'): Promise<number> => {
  const answer = await sendRaw(
    proxy.url,
    rawRequest(`POST ${target}`, { Host: host, Connection: 'close', 'Content-Length': '2' }, '{}'),
  );
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer.received)?.[1]);
};

test.each(['localhost', 'localhost:8233', '127.0.0.1:8233', '[::1]:8233'])(
  "Temporal's UI of npm start serves the host %s",
  async (host) => {
    expect(await statusFor(host)).toBe(201);
    expect(received).toEqual(['POST /api/v1/namespaces  {}']);
  },
);

test.each(['evil.example', 'evil.example:8233', 'localhost.evil.example', '', '10.0.0.1'])(
  "Temporal's UI of npm start does not serve the host %p, and nothing of the request reaches it",
  async (host) => {
    expect(await statusFor(host)).toBe(421);
    expect(await statusFor('localhost', `http://${host || 'evil.example'}/api/v1/namespaces`)).toBe(421);
    expect(received).toEqual([]);
  },
);

test("requests to Temporal's UI and its answers pass unchanged", async () => {
  const answer = await fetch(`${proxy.url}/namespaces/default?query=a%20b`, {
    method: 'PUT',
    headers: { cookie: 'c=3' },
    body: 'a body',
  });

  expect(received).toEqual(['PUT /namespaces/default?query=a%20b c=3 a body']);
  expect([answer.status, await answer.text()]).toEqual([201, 'from the UI']);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(answer.headers.get('x-own')).toBe('yes');
});

test("while Temporal's UI does not run, its address answers 502", async () => {
  const { url, server } = await serveUi({ host: '127.0.0.1', port: 1 });

  expect((await fetch(url)).status).toBe(502);
  server.close();
  server.closeAllConnections();
});

test("Temporal's own UI listens at an address and a port that no page knows", async () => {
  const one = await launchTemporal('temporal', '/', { withUi: true, isDurable: true });
  const other = await launchTemporal('temporal', '/', { withUi: true, isDurable: true });

  expect(one.args.join(' ')).toContain(`--ui-ip ${one.ui!.host} --ui-port ${one.ui!.port}`);
  expect(one.ui!.host).toMatch(process.platform === 'linux' ? /^127\.(?!0\.0\.1$)/ : /^127\./);
  expect(one.ui).not.toEqual(other.ui);
});
