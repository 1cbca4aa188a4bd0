import { setTimeout as pause } from 'node:timers/promises';
import { figures } from '../faults/support/figures.ts';
import { isFull } from '../support/sizes.ts';
import { installationForTests } from './support/installation.ts';
import { watchHighest } from './support/probe.ts';
import { holdConnections } from './support/sockets.ts';

const installation = installationForTests({ worker: false, settings: { RATE_LIMIT_REQUESTS_PER_MINUTE: '1200' } });

const packetBytes = 65_536;
/** One packet of as many requests as fit. */
const packetOf = (request: string) => request.repeat(Math.floor(packetBytes / request.length));
const get = (path: string, ...headers: string[]) =>
  `${['GET', path, 'HTTP/1.1'].join(' ')}\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n`;

const requests: Record<string, string> = {
  '/openapi.json': get('/openapi.json'),
  'the script of /docs': get('/docs/swagger-ui-bundle.js'),
  'the console': get('/console/jobs'),
  'an unknown path': get('/nowhere'),
  'a request without a credential': get('/api/jobs'),
  '/health': get('/health'),
  'the status of the set-up': get('/api/admin-users/setup/status'),
  'a host that is not served': get('/health').replace('localhost', 'a.example'),
  'HEAD of /openapi.json': get('/openapi.json').replace('GET', 'HEAD'),
  'a wrong method': get('/openapi.json').replace('GET', 'DELETE'),
  OPTIONS: get('/api/jobs', 'Origin: http://a', 'Access-Control-Request-Method: POST').replace('GET', 'OPTIONS'),
};

test.each(Object.entries(requests))(
  'packets full of requests for %s, whose answers are not read, take less than 150 MB, and others are answered',
  async (name, request) => {
    const { api } = installation.current;
    await fetch(`${api.url}/openapi.json`);
    const before = api.memory();
    const highest = watchHighest(() => api.memory());

    const held = await holdConnections({
      url: api.url,
      count: isFull ? 100 : 4,
      bytes: () => packetOf(request),
      reads: false,
    });
    const startedAt = performance.now();
    const { status } = await fetch(`${api.url}/health`);
    const answeredMs = performance.now() - startedAt;
    await pause(isFull ? 1_000 : 0);
    const more = highest.end() - before;
    held.close();

    figures('pipelined requests', { [name]: `+${Math.round(more)} MB, /health after ${Math.round(answeredMs)} ms` });
    expect(status).toBe(200);
    expect(more).toBeLessThan(150);
  },
);

test('16 unread requests of each of many connections take less than 150 MB, and others are answered', async () => {
  const { api } = installation.current;
  await fetch(`${api.url}/openapi.json`);
  const before = api.memory();
  const highest = watchHighest(() => api.memory());

  const held = await holdConnections({
    url: api.url,
    from: '127.0.0.2',
    count: isFull ? 1_000 : 200,
    bytes: () => requests['/openapi.json']!.repeat(16),
    reads: false,
  });
  const { status } = await fetch(`${api.url}/openapi.json`);
  const more = highest.end() - before;
  held.close();

  figures('pipelined requests', { '16 of each connection': `+${Math.round(more)} MB` });
  expect(status).toBe(200);
  expect(more).toBeLessThan(150);
});
