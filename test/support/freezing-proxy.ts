import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands before a server and, when frozen, keeps every connection and passes nothing on: a server that was stopped. When thawed
 * it passes on what has come meanwhile, also from who has left. When shut, it keeps new ones: a server whose door-keeper was stopped.
 * One connection alone can fall silent for ever: the one on which something is said next.
 */
export async function startFreezingProxy(target: URL) {
  const sockets = new Set<Socket>();
  let frozen = false;
  let shut = false;
  let fatal: { word: string; said: () => void } | undefined;
  const server = createServer((client) => {
    if (shut) {
      sockets.add(client.on('error', () => undefined));
      return;
    }
    let silent = false;
    client.on('data', (bytes) => {
      if (!fatal || !bytes.includes(fatal.word)) return;
      silent = true;
      fatal.said();
      fatal = undefined;
    });
    const upstream = connect(Number(target.port), target.hostname);
    upstream.setNoDelay();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroySoon();
      });
      from.on('data', (bytes) => silent || to.write(bytes));
      if (frozen) from.pause();
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
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    shut() {
      shut = true;
    },
    freezeConnectionThatSends(word: string): Promise<void> {
      return new Promise((said) => {
        fatal = { word, said };
      });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
