import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Config } from '../config.ts';
import { isLoopback } from '../config.ts';
import { hostProblems } from '../http/served-hosts.ts';

export interface ServedMetrics {
  url: string;
  close(): Promise<void>;
}

/** The answer to a probe; `body` becomes JSON. */
export interface Probe {
  status: 200 | 503;
  body: Record<string, string>;
}

interface Answer {
  status: number;
  type: string;
  text: string;
}

const plain = (status: number, text: string): Answer => ({ status, type: 'text/plain', text });

/**
 * `GET /metrics` on `METRICS_PORT`, without a credential and with no other path but those of `probes`; undefined if the port is not
 * set. Anyone who can connect to the port can read them: it is for the operator's own network.
 */
export async function serveMetrics(
  { registry }: { registry: { contentType: string; metrics(): Promise<string> } },
  config: Pick<Config, 'HOST' | 'METRICS_PORT' | 'ALLOWED_HOSTS'>,
  probes: Record<string, () => Promise<Probe>> = {},
): Promise<ServedMetrics | undefined> {
  const { HOST: host, METRICS_PORT: port } = config;
  if (port === undefined) return undefined;
  // ALLOWED_HOSTS lists the names of the api for its clients; a metrics collector uses the address of each process.
  const problemOf = hostProblems({ HOST: host, ALLOWED_HOSTS: isLoopback(host) ? config.ALLOWED_HOSTS : [] });
  const paths = ['/metrics', ...Object.keys(probes)];
  const answer = async ({ method, url = '' }: IncomingMessage): Promise<Answer> => {
    if (method !== 'GET' || !paths.includes(url)) return plain(404, `GET ${paths.join(', ')}\n`);
    if (url === '/metrics') return { status: 200, type: registry.contentType, text: await registry.metrics() };
    const { status, body } = await probes[url]!();
    return { status, type: 'application/json', text: JSON.stringify(body) };
  };
  const server = createServer(async (request, response) => {
    const { status, type, text } =
      problemOf(request) === undefined
        ? await answer(request).catch(() => plain(500, ''))
        : plain(421, 'Misdirected request\n');
    response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
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
