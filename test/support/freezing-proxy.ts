import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A TCP proxy before a server. Frozen, it keeps every connection open and forwards nothing, like a server whose process was stopped.
 * Thawed, it forwards what has arrived meanwhile, also from clients that have disconnected. Shut, it accepts new connections and
 * forwards nothing of them. One connection alone can be frozen for good: the next one that sends a given text.
 */
export async function startFreezingProxy(target: URL) {
  const sockets = new Set<Socket>();
  let frozen = false;
  let shut = false;
  let opened = 0;
  let frozenUpTo = 0;
  let trigger: { text: string; sent: () => void } | undefined;
  const server = createServer((client) => {
    if (shut) {
      sockets.add(client.on('error', () => undefined));
      return;
    }
    let frozenForGood = false;
    opened += 1;
    const number = opened;
    client.on('data', (bytes) => {
      if (!trigger || !bytes.includes(trigger.text)) return;
      frozenForGood = true;
      trigger.sent();
      trigger = undefined;
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
      from.on('data', (bytes) => frozenForGood || number <= frozenUpTo || to.write(bytes));
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
    /** The connections that are open now are frozen for good; new ones are forwarded. */
    freezeOpenConnections() {
      frozenUpTo = opened;
    },
    /** Resolves when it is frozen. */
    freezeConnectionThatSends(text: string): Promise<void> {
      return new Promise((sent) => {
        trigger = { text, sent };
      });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
