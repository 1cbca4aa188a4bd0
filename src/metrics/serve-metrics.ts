import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from '../config.ts';
import { hostProblems } from '../http/served-hosts.ts';
import type { Metrics } from './metrics.ts';

export interface ServedMetrics {
  url: string;
  close(): Promise<void>;
}

/**
 * `GET /metrics` on `METRICS_PORT`, without a credential and with no other route; undefined if that is not set. Anyone who can
 * connect to the port can read them: it is for the operator's own network.
 */
export async function serveMetrics(
  { registry }: Pick<Metrics, 'registry'>,
  config: Pick<Config, 'HOST' | 'METRICS_PORT' | 'ALLOWED_HOSTS'>,
): Promise<ServedMetrics | undefined> {
  const { HOST: host, METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  // ALLOWED_HOSTS lists the names of the api for its clients; a metrics collector uses the address of each process.
  const problemOf = hostProblems({ HOST: host, ALLOWED_HOSTS: isLoopback(host) ? config.ALLOWED_HOSTS : [] });
  const server = createServer(async (request, response) => {
    const isServed = problemOf(request) === undefined;
    const isMetrics = request.method === 'GET' && request.url === '/metrics';
    const text = isServed && isMetrics ? await registry.metrics().catch(() => undefined) : 'GET /metrics\n';
    const status = !isServed ? 421 : !isMetrics ? 404 : text === undefined ? 500 : 200;
    response.writeHead(status, {
      'content-type': status === 200 ? registry.contentType : 'text/plain',
      'cache-control': 'no-store',
    });
    response.end(text);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}/metrics`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
