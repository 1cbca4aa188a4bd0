import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from '../client-address.ts';

export interface ConnectionLimits {
  /** Open at once. */
  total: number;
  /** Open at once from one IPv4 address or one IPv6 network of 64 bits. Undefined: no limit, as behind a proxy. */
  perNetwork: number | undefined;
}

/** Closes new connections beyond the limits. Each holds memory from its first byte on, before its sender is authenticated. */
export function limitConnections(server: Server, { total, perNetwork }: ConnectionLimits): void {
  server.maxConnections = total;
  if (perNetwork === undefined) return;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(network) ?? 0) + 1;
    open.set(network, count);
    socket.once('close', () => {
      const remaining = open.get(network)! - 1;
      if (remaining === 0) open.delete(network);
      else open.set(network, remaining);
    });
    if (count > perNetwork) socket.destroy();
  });
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
