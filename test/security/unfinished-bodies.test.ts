import { sendRequest } from '../support/send-request.ts';
import { until } from '../support/until.ts';
import { statusOn } from './support/held-requests.ts';
import { installationForTests } from './support/installation.ts';
import type { Program } from './support/program.ts';
import { holdConnections, openSocket, unfinishedRequest } from './support/sockets.ts';

const installation = installationForTests({ worker: false, api: false });
const unfinished = () => unfinishedRequest('POST /api/admin-users/login', {}, '{"email": "', 65_536);

const hold = ({ url }: Program, from: string, count: number) =>
  holdConnections({ url, from, count, bytes: unfinished, reads: true });

/** The status of a request from an address; 0 if the connection is not accepted. */
async function healthFrom({ url }: Program, from: string): Promise<number> {
  const socket = await openSocket({ url, from });
  socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  return statusOn(socket, 5_000);
}

test('an address with unfinished requests has at most MAX_CONNECTIONS_PER_ADDRESS connections, and another address is served (spec 9.7)', async () => {
  const api = await installation.current.startApi({ MAX_CONNECTIONS_PER_ADDRESS: '20' });

  const held = await hold(api, '127.0.0.2', 40);

  await until(held.open, (open) => open <= 20);
  expect(await healthFrom(api, '127.0.0.2')).not.toBe(200);
  expect(await healthFrom(api, '127.0.0.3')).toBe(200);
  held.close();
  await until(
    () => healthFrom(api, '127.0.0.2'),
    (status) => status === 200,
  );
});

test('all addresses together have at most MAX_CONNECTIONS connections (spec 9.7)', async () => {
  const api = await installation.current.startApi({ MAX_CONNECTIONS: '30' });

  const held = await Promise.all(Array.from({ length: 5 }, (_, n) => hold(api, `127.0.0.${n + 2}`, 10)));

  const open = () => held.reduce((sum, one) => sum + one.open(), 0);
  await until(open, (count) => count <= 30);
  for (const one of held) one.close();
  await until(
    () =>
      sendRequest(api.url, 'get', '/health').then(
        ({ status }) => status,
        () => 0,
      ),
    (status) => status === 200,
  );
});

test('an api with an invalid MAX_CONNECTIONS_PER_ADDRESS does not start, and its error names the setting', async () => {
  await expect(installation.current.startApi({ MAX_CONNECTIONS_PER_ADDRESS: 'many' })).rejects.toThrow(
    'MAX_CONNECTIONS_PER_ADDRESS',
  );
});
