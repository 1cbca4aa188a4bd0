import { once } from 'node:events';
import { installationForTests } from './support/installation.ts';
import { holdConnections, openSocket } from './support/sockets.ts';

const installation = installationForTests({ worker: false, api: false });
const healthFrom = async (url: string, from: string): Promise<string> => {
  const socket = await openSocket({ url, from });
  socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  const [answer] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean];
  socket.destroy();
  return String(answer).slice(0, 12);
};

const request = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n';

test.each([
  ['without a request', ''],
  ['with an answered request', request],
  ['with a part of a request', request.slice(0, 30)],
  ['with an answered request and a part of another', request + request.slice(0, 30)],
])('while two addresses hold all connections %s, a third one is served', async (_, bytes) => {
  const api = await installation.current.startApi({ MAX_CONNECTIONS: '100', MAX_CONNECTIONS_PER_ADDRESS: '50' });
  const { url } = api;
  const first = await holdConnections({ url, from: '127.0.0.2', count: 50, bytes: () => bytes, reads: true });
  const second = await holdConnections({ url, from: '127.0.0.3', count: 50, bytes: () => bytes, reads: true });

  for (let n = 0; n < 20; n += 1) expect(await healthFrom(url, '127.0.0.4')).toBe('HTTP/1.1 200');

  expect(first.open() + second.open()).toBeGreaterThan(80);
  first.close();
  second.close();
  await api.end();
});
