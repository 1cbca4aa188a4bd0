import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { firstModel } from '../../tools/dev/start-upstream.ts';

let server: Server;
let url: string;

beforeAll(async () => {
  server = createServer(({ url: path }, response) => {
    if (path === '/page/models') return void response.end('<html>');
    if (path === '/closed/models') return void response.writeHead(403).end();
    response.end(JSON.stringify({ data: [{ id: path }, { id: 'second' }] }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => server.close());

test.each([
  ['', '/models'],
  ['/', '/models'],
  ['/v1', '/v1/models'],
  ['/v1/', '/v1/models'],
  ['/v1/chat/completions', '/v1/models'],
  ['/v1beta/openai/', '/v1beta/openai/models'],
])('the sample job reads the models of an upstream at %p from the address of its calls', async (suffix, path) => {
  expect(await firstModel(`${url}${suffix}`)).toEqual([path]);
});

test.each([
  ['/page', 'was not answered with JSON: most servers need /v1'],
  ['/closed', 'was answered with 403'],
])('the sample job names the address of an upstream that has no models at %p', async (suffix, problem) => {
  await expect(firstModel(`${url}${suffix}`)).rejects.toThrow(`${url}${suffix}/models (UPSTREAM_BASE_URL) ${problem}`);
});

test('the sample job names the address and the failure of an upstream that is not reached', async () => {
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const address = `http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1`;
  closed.close();
  await once(closed, 'close');

  await expect(firstModel(address)).rejects.toThrow(
    `${address}/models (UPSTREAM_BASE_URL) does not respond: ECONNREFUSED`,
  );
});
