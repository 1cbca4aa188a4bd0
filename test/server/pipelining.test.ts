import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import express from 'express';
import { type Listening, listen } from '../../src/server/listen.ts';
import { rawRequest, sendAndHalfClose, sendRaw } from '../support/raw.ts';
import { until } from '../support/until.ts';

let server: Listening;
let begun: string[] = [];
let release: () => void;

beforeEach(async () => {
  begun = [];
  const { promise: released, resolve } = Promise.withResolvers<void>();
  release = resolve;
  const app = express();
  app.use(async (request, response) => {
    begun.push(request.path);
    await released;
    request.resume().once('end', () => response.send(`answer to ${request.path}.`));
  });
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  release();
  await server.drain(() => undefined, { lameDuckMs: 0, drainMs: 0 });
});

const paths = (count: number) => Array.from({ length: count }, (_, n) => `/${n}`);
/** The connection may be reset, because not all of it was read. */
const receivedUntilClosed = (bytes: string): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(server.url);
    let received = '';
    connect(Number(port), hostname)
      .on('data', (chunk) => {
        received += chunk;
      })
      .on('error', () => undefined)
      .once('close', () => resolve(received))
      .write(bytes);
  });

const answersIn = (received: string) => [...received.matchAll(/answer to (.*?)\./g)].map(([, path]) => path);

const forms: Record<string, (path: string) => string> = {
  GET: (path) => rawRequest(`GET ${path}`, {}),
  HEAD: (path) => rawRequest(`HEAD ${path}`, {}),
  'POST with a body': (path) => rawRequest(`POST ${path}`, { 'Content-Length': '4' }, 'abcd'),
  'POST in chunks': (path) => rawRequest(`POST ${path}`, { 'Transfer-Encoding': 'chunked' }, '4\r\nabcd\r\n0\r\n\r\n'),
  'POST that expects 100': (path) =>
    rawRequest(`POST ${path}`, { 'Content-Length': '4', Expect: '100-continue' }, 'abcd'),
  'GET with another expectation': (path) => rawRequest(`GET ${path}`, { Expect: 'something' }),
  'GET in HTTP/1.0': (path) => `GET ${path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n`,
};

test('16 requests of one connection are begun at once and answered in order, and then the next ones', async () => {
  const last = paths(16).at(-1)!;
  const sent = sendRaw(server.url, paths(16).map(forms.GET!).join(''), (all) => all.includes(`answer to ${last}.`));
  await until(() => begun.length === 16);
  release();

  expect(answersIn((await sent).received)).toEqual(paths(16));
});

test.each(Object.entries(forms))(
  'a connection with more than 16 unanswered requests (%s) is closed, and none after the 16th is begun (spec 9.6)',
  async (_, form) => {
    expect(await receivedUntilClosed(paths(1_000).map(form).join(''))).toBe('');

    expect(begun).toEqual(paths(16));
  },
);

test('a packet that ends in a broken request after more than 16 requests gets no answer', async () => {
  expect(await receivedUntilClosed(`${paths(20).map(forms.GET!).join('')}broken\r\n\r\n`)).toBe('');
});

test('16 requests of a client that closes its sending side are answered', async () => {
  release();
  const received = await sendAndHalfClose(server.url, paths(16).map(forms.GET!).join(''));

  expect(answersIn(received)).toEqual(paths(16));
});

test('a connection may have any number of requests one after the other', async () => {
  release();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const statusOf = (path: string) =>
    new Promise((resolve, reject) => {
      get(server.url + path, { agent }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      }).once('error', reject);
    });

  for (const path of paths(50)) expect(await statusOf(path)).toBe(200);
  agent.destroy();
});
