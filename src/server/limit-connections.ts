import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../holders/network.ts';

export interface ConnectionLimits {
  /** The connections that are open at once. */
  total: number;
  /** Those from one IPv4 address or one IPv6 network of 64 bits. Undefined: no limit, as behind a proxy. */
  perNetwork: number | undefined;
}

/** From this share of the total on, each new connection closes an idle one of the network that has most. */
const nearlyAll = 0.9;

/**
 * Closes new connections beyond the limits, because each holds memory from its first byte on, before its sender is authenticated.
 * Before the total is reached, idle connections make room, so that a few networks cannot keep all others out. Behind a proxy all
 * connections are the proxy's, which reuses an idle one if it has one.
 *
 * `isIdle`: no request of the connection is under way.
 */
export function limitConnections(
  server: Server,
  { total, perNetwork = total }: ConnectionLimits,
  isIdle: (socket: Socket) => boolean,
): void {
  server.maxConnections = total;
  const networks = new Map<string, Set<Socket>>();
  let open = 0;

  const remove = (network: string, socket: Socket) => {
    const sockets = networks.get(network);
    if (!sockets?.delete(socket)) return;
    open -= 1;
    if (sockets.size === 0) networks.delete(network);
  };

  /** The oldest idle one of the network that has most. It counts no more, although its `close` comes later. */
  const closeIdle = () => {
    let most = 0;
    let chosen: [network: string, socket: Socket] | undefined;
    for (const [network, sockets] of networks) {
      if (sockets.size <= most) continue;
      const idle = findSocket(sockets, isIdle);
      if (!idle) continue;
      most = sockets.size;
      chosen = [network, idle];
    }
    if (!chosen) return;
    remove(...chosen);
    chosen[1].destroy();
  };

  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const sockets = networks.get(network) ?? new Set();
    if (sockets.size >= perNetwork) return void socket.destroy();
    if (open >= nearlyAll * total) closeIdle();
    networks.set(network, sockets.add(socket));
    open += 1;
    socket.once('close', () => remove(network, socket));
  });
}

function findSocket(sockets: Iterable<Socket>, isWanted: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of sockets) if (isWanted(socket)) return socket;
  return undefined;
}

interface Settings {
  MAX_CONNECTIONS: number;
  MAX_CONNECTIONS_PER_ADDRESS: number;
  TRUST_PROXY: boolean | number | string[];
}

/** Behind a trusted proxy all connections are the proxy's. */
export const connectionLimitsOf = (settings: Settings): ConnectionLimits => ({
  total: settings.MAX_CONNECTIONS,
  perNetwork: settings.TRUST_PROXY ? undefined : settings.MAX_CONNECTIONS_PER_ADDRESS,
});
