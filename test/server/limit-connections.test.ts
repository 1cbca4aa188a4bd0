import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { limitConnections } from '../../src/server/limit-connections.ts';
import { until } from '../support/until.ts';

/** Connections to a server that stay open, each from the given address of the loopback network. */
async function connectionsTo(
  limits: Parameters<typeof limitConnections>[1],
  addresses: string[],
  isIdle: (from: string) => boolean = () => true,
) {
  const server = createServer((_request, response) => response.end());
  limitConnections(server, limits, ({ remoteAddress }) => isIdle(remoteAddress!));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const sockets = addresses.map((localAddress) => connect({ port, host: '127.0.0.1', localAddress }));
  for (const socket of sockets) socket.on('error', () => undefined).resume();
  await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, 'connect') : undefined)));
  return {
    sockets,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const open = (sockets: { destroyed: boolean }[]) => sockets.map(({ destroyed }) => !destroyed);

test('the number of open connections is limited for each address (spec 9.7)', async () => {
  const [a, b] = ['127.0.0.1', '127.0.0.2'];
  const { sockets, close } = await connectionsTo({ total: 100, perNetwork: 2 }, [a, a, a, b]);

  await until(() => open(sockets).filter(Boolean).length === 3);

  expect(open(sockets)).toEqual([true, true, false, true]);
  close();
});

test('the number of open connections of all addresses together is limited (spec 9.7)', async () => {
  const { sockets, close } = await connectionsTo({ total: 2, perNetwork: undefined }, [
    '127.0.0.1',
    '127.0.0.2',
    '127.0.0.3',
  ]);

  await until(() => open(sockets).filter(Boolean).length === 2);

  close();
});

const fromTwoAddresses = Array.from({ length: 18 }, (_, n) => (n < 10 ? '127.0.0.1' : '127.0.0.2'));

test('near the total, a new connection closes the oldest idle one of the address that has most (spec 9.7)', async () => {
  const { sockets, close } = await connectionsTo({ total: 20, perNetwork: 10 }, [...fromTwoAddresses, '127.0.0.3']);

  await until(() => open(sockets).filter(Boolean).length === 18);

  expect(open(sockets).indexOf(false)).toBe(0);
  expect(sockets.at(-1)!.destroyed).toBe(false);
  close();
});

test('near the total, connections with a request under way stay open, and idle ones of another address make room', async () => {
  const { sockets, close } = await connectionsTo(
    { total: 20, perNetwork: 10 },
    [...fromTwoAddresses, '127.0.0.3'],
    (from) => from === '127.0.0.2',
  );

  await until(() => open(sockets).filter(Boolean).length === 18);

  expect(open(sockets).indexOf(false)).toBe(10);
  close();
});
