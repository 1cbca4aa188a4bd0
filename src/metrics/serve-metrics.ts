import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface ServedMetrics {
  url: string;
  close(): Promise<void>;
}

/** `GET /metrics` of a process that serves no other HTTP: a worker. */
export async function serveMetrics(registry: Registry, host: string, port: number): Promise<ServedMetrics> {
  const server = createServer(async (request, response) => {
    const isRight = request.method === 'GET' && request.url === '/metrics';
    const text = isRight ? await registry.metrics().catch(() => undefined) : 'GET /metrics\n';
    const status = isRight ? (text === undefined ? 500 : 200) : 404;
    response.writeHead(status, { 'content-type': status === 200 ? registry.contentType : 'text/plain' });
    response.end(text);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/metrics`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
