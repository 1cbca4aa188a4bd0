import type { Attack } from '../holder-attack.ts';

const packetBytes = 64 * 1_024;

/** So many requests as fit into one packet, all sent before the first answer is read. */
const pipelined = (line: string, headers = ''): string => {
  const request = `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n`;
  return request.repeat(Math.floor(packetBytes / request.length));
};

const packet = (count: number, line: string, headers = ''): Attack => ({
  title: `${count} unread packet${count === 1 ? '' : 's'} of pipelined ${line}${headers && ` with ${headers.trim()}`}`,
  prepare:
    async ({ packets }) =>
    () =>
      packets(count, pipelined(line, headers)),
});

export const attacksOfStrangers: Attack[] = [
  packet(1, 'GET /openapi.json'),
  packet(3, 'GET /openapi.json'),
  packet(3, 'GET /missing'),
  packet(3, 'GET /api/jobs'),
  packet(3, 'GET /api/jobs', 'Authorization: Bearer sk-unknown\r\n'),
  packet(3, 'GET /health'),
  packet(3, 'GET /health/ready'),
  packet(3, 'GET /api/admin-users/setup/status'),
  packet(3, 'GET /docs'),
  packet(3, 'GET /console/jobs/any'),
  packet(3, 'HEAD /openapi.json'),
  packet(3, 'OPTIONS /api/jobs'),
  packet(3, 'GET /openapi.json', 'Accept-Encoding: gzip\r\n'),
  packet(3, 'GET /openapi.json', 'If-None-Match: "x"\r\n'),
  packet(3, 'GET /v1/models'),
  packet(3, `GET /${'missing/'.repeat(1_000)}`),
  packet(3, 'POST /api/session', 'Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}'),
  {
    title: '100 unread connections with one GET /openapi.json each',
    prepare:
      async ({ packets }) =>
      () =>
        packets(100, 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'),
  },
  {
    title: '20 readers of /openapi.json without a pause',
    prepare:
      async ({ flood }) =>
      () =>
        flood({ requests: [{ method: 'GET', path: '/openapi.json' }], atOnce: 20 }),
  },
  {
    title: '20 readers of the page and a deep link of the console without a pause',
    prepare:
      async ({ flood }) =>
      () => {
        const requests = ['/console', '/console/jobs/any', '/docs', '/missing'].map((path) => ({
          method: 'GET',
          path,
        }));
        return flood({ requests, atOnce: 20 });
      },
  },
  {
    title: 'preflights of a browser from 20 senders without a pause',
    prepare:
      async ({ flood }) =>
      () => {
        const headers = { origin: 'https://example.com', 'access-control-request-method': 'POST' };
        return flood({ requests: [{ method: 'OPTIONS', path: '/api/jobs/create', headers }], atOnce: 20 });
      },
  },
  {
    title: '20 senders of unknown keys without a pause',
    prepare:
      async ({ flood }) =>
      () => {
        const headers = { authorization: 'Bearer sk-unknown-{hex}' };
        return flood({ requests: [{ method: 'GET', path: '/api/jobs', headers }], atOnce: 20 });
      },
  },
  {
    title: 'sign-ins with unknown keys from 20 senders without a pause',
    prepare:
      async ({ flood }) =>
      () => {
        const headers = { 'content-type': 'application/json' };
        const body = '{"virtual_key":"sk-unknown-{hex}"}';
        return flood({ requests: [{ method: 'POST', path: '/api/session', headers, body }], atOnce: 20 });
      },
  },
  {
    title: '5,000 connections without a request',
    prepare:
      async ({ hold }) =>
      () =>
        hold(5_000, () => ''),
  },
];
