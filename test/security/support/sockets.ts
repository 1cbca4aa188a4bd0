import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

interface Connecting {
  url: string;
  /** Another loopback address, so that it is another client. */
  from?: string;
}

export async function openSocket({ url, from }: Connecting): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: from });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

interface Held extends Connecting {
  count: number;
  bytes: (n: number) => string;
  /** `false`: nothing is read from the connection, and its end by the server is not detected. */
  reads: boolean;
}

/** Opens `count` connections, sends `bytes` on each and leaves them open. */
export async function holdConnections({ count, bytes, reads, ...where }: Held) {
  const sockets: Socket[] = [];
  for (let n = 0; n < count; n += 1) {
    const socket = await openSocket(where).catch(() => undefined);
    if (!socket) continue;
    if (reads) socket.resume();
    else socket.pause();
    socket.write(bytes(n));
    sockets.push(socket);
  }
  return {
    open: () => sockets.filter((socket) => !socket.destroyed && socket.readyState === 'open').length,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** A request whose Content-Length exceeds the body that is sent. */
export function unfinishedRequest(line: string, headers: Record<string, string>, body: string, length: number): string {
  const all = { Host: 'localhost', 'Content-Type': 'application/json', 'Content-Length': String(length), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}
