import { createServer } from 'node:http';
import { freePort } from '../../tools/dev/services/free-port.ts';
import { startApiProcess } from '../support/api-process.ts';
import { startFreezingProxy } from '../support/freezing-proxy.ts';
import { startGateway } from '../support/gateway.ts';
import { services } from '../support/services.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const settings = {
  DATABASE_POOL_SIZE: '4',
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  WEBHOOK_RETRY_DELAYS: Array(60).fill('500ms').join(),
};

type Program = 'api' | 'worker';
type Service = 'database' | 'redis' | 'temporal' | 'upstream';

interface Running {
  url?: string;
  pid: number;
  kill(): Promise<void>;
}

/** Two apis and two workers, processes of their own, whose services are behind proxies that can fail. */
export async function startInstallation() {
  // The test's own api makes what is needed, and reads the record; it is not scraped.
  const gateway = await startGateway({ worker: false, settings });
  const proxies = {
    database: await startFreezingProxy(new URL(gateway.databaseUrl)),
    redis: await startFreezingProxy(new URL(services.redisUrl)),
    temporal: await startFreezingProxy(new URL(`http://${services.temporalAddress}`)),
    upstream: await startFreezingProxy(new URL(gateway.environment.UPSTREAM_BASE_URL!)),
  };
  const behind = (service: Service, address: string): string => {
    const url = new URL(address);
    url.host = new URL(proxies[service].url).host;
    return url.href.replace(/\/$/, '');
  };
  const throughProxies = {
    LOG_LEVEL: 'info',
    DATABASE_URL: behind('database', gateway.databaseUrl),
    REDIS_URL: behind('redis', services.redisUrl),
    TEMPORAL_ADDRESS: new URL(proxies.temporal.url).host,
    UPSTREAM_BASE_URL: behind('upstream', gateway.environment.UPSTREAM_BASE_URL!),
  };
  const ports = { api: [await freePort(), await freePort()], worker: [await freePort(), await freePort()] };
  const running: Record<Program, (Running | undefined)[]> = { api: [], worker: [] };
  const start = async (program: Program, index: number, changed: NodeJS.ProcessEnv = {}): Promise<void> => {
    const environment = { ...throughProxies, METRICS_PORT: String(ports[program][index]), ...changed };
    running[program][index] =
      program === 'api' ? await startApiProcess(gateway, environment) : await startWorkerProcess(gateway, environment);
  };
  const programs = ['api', 'worker'] as const;
  for (const program of programs) for (const index of [0, 1]) await start(program, index);
  const other = await serveText();

  return {
    gateway,
    proxies,
    other,
    targets: {
      'job-gateway-api': ports.api.map((port) => `127.0.0.1:${port}`),
      'job-gateway-worker': ports.worker.map((port) => `127.0.0.1:${port}`),
      other: [other.address],
    },
    /** The address of the first api and the platform key, as `as` and `givenIn` take them. */
    addressed: {
      get current() {
        return { url: running.api[0]?.url ?? running.api[1]!.url!, masterKey: gateway.masterKey };
      },
    },
    pid: (program: Program, index: number) => running[program][index]!.pid,
    start,
    async kill(program: Program, index: number): Promise<void> {
      await running[program][index]?.kill();
      running[program][index] = undefined;
    },
    async close() {
      for (const program of programs) for (const one of running[program]) await one?.kill();
      for (const proxy of Object.values(proxies)) await proxy.close();
      await other.close();
      await gateway.close();
    },
  };
}

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

/** A program whose metrics are a text of the test. */
async function serveText() {
  const port = await freePort();
  let text = '';
  const server = createServer((_, response) => response.end(text));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${port}`,
    serve(next: string) {
      text = next;
    },
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
