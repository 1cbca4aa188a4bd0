import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands before a server and, when frozen, keeps every connection and passes nothing on: a server that was stopped. When shut, it
 * does so with new ones: a server whose door-keeper was.
 */
export async function startFreezingProxy(target: URL) {
  const sockets = new Set<Socket>();
  let frozen = false;
  let shut = false;
  const server = createServer((client) => {
    if (shut) {
      sockets.add(client.on('error', () => undefined));
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.on('data', (bytes) => {
        if (!frozen) to.write(bytes);
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    freeze() {
      frozen = true;
    },
    shut() {
      shut = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
