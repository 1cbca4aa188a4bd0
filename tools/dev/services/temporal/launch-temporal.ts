import { randomInt } from 'node:crypto';
import type { Launch } from '../../processes/start-process.ts';
import { freePort } from '../free-port.ts';
import { ownEnvironment } from '../own-environment.ts';
import type { UiAddress } from './serve-ui.ts';

export type TemporalLaunch = Launch & { address: string; ui?: UiAddress };

const searchAttributes = ['TeamId', 'OrganizationId', 'JobType', 'JobStatus'];

/** Settings that make one small server fast: docs/temporal.md, "Dynamic configuration". */
const dynamicConfig = {
  // The default is 20 a second for each shard, and there is one shard: it would cost 40 ms for each call.
  'history.transferProcessorMaxPollRPS': 2_000,
  'history.timerProcessorMaxPollRPS': 2_000,
  // Fairness between teams. With one partition it is exact, and waiting pollers are found sooner.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // One machine with one user: the limits that protect tenants of a shared server are not needed.
  'frontend.rps': 20_000,
  'frontend.namespaceRPS': 20_000,
  'frontend.namespaceCount': 20_000,
  'frontend.namespaceRPS.visibility': 1_000,
  'frontend.persistenceMaxQPS': 20_000,
  'history.persistenceMaxQPS': 20_000,
};

/** The database is a file: one in memory is lost with its only connection, which the server reopens after some errors. */
export async function launchTemporal(
  program: string,
  folder: string,
  { withUi, isDurable }: { withUi: boolean; isDurable: boolean },
): Promise<TemporalLaunch> {
  const [port, httpPort] = [await freePort(), await freePort()];
  const namespace = process.env.TEMPORAL_NAMESPACE || 'default';
  const ui = withUi ? await hiddenAddress() : undefined;
  return {
    name: 'temporal',
    command: program,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--http-port', String(httpPort)],
      ...['--namespace', namespace],
      ...(ui ? ['--ui-ip', ui.host, '--ui-port', String(ui.port)] : ['--headless']),
      ...storage(isDurable),
      ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
      ...Object.entries(dynamicConfig).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ],
    env: ownEnvironment(folder),
    cwd: folder,
    ready: () => isReady(httpPort, namespace),
    address: `127.0.0.1:${port}`,
    ui,
  };
}

/** A page would have to try 16 million addresses. Other systems than Linux have one loopback address only, so that only the port is random. */
async function hiddenAddress(): Promise<UiAddress> {
  const host = process.platform === 'linux' ? `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}` : '127.0.0.1';
  return { host, port: await freePort(host) };
}

/** As for PostgreSQL: what is not durable is for development and tests. */
const storage = (isDurable: boolean) => [
  // The name is relative to the server's folder: the server makes a URI of it, in which the path of a folder `a#b` would end at `a`.
  ...['--db-filename', 'temporal.db'],
  // This halves the syncs: the median of a busy job is 89 ms instead of 182 ms.
  ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', `synchronous=${isDurable ? 'NORMAL' : 'OFF'}`],
];

const get = (httpPort: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${httpPort}/api/v1/namespaces/${path}`, { signal: AbortSignal.timeout(2_000) });

/** The search attributes are registered last, after the server answers and the namespace exists. */
async function isReady(httpPort: number, namespace: string): Promise<boolean> {
  const response = await get(httpPort, `${namespace}/search-attributes`);
  const { customAttributes = {} } = (await response.json()) as { customAttributes?: Record<string, string> };
  return searchAttributes.every((name) => name in customAttributes);
}
