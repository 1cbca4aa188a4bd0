import type { Launch } from '../../processes/launch.ts';
import { freePort, isFree } from '../free-port.ts';

export type TemporalLaunch = Launch & { address: string; uiUrl?: string };

const searchAttributes = ['TeamId', 'OrganizationId', 'JobType', 'JobStatus'];
const usualUiPort = 8233;

/** Settings that make one small server quick: docs/operations.md, "Temporal", and what the defaults of 1.29 leave off. */
const dynamicConfig = {
  'system.enableActivityEagerExecution': true,
  // 20 a second per shard by default, and there is one shard: 40 ms on every call.
  'history.transferProcessorMaxPollRPS': 2_000,
  'history.timerProcessorMaxPollRPS': 2_000,
  // Fair shares between teams; one partition keeps them exact and finds waiting pollers sooner.
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // One machine, one user: the limits that share a server among strangers only get in the way.
  'frontend.rps': 20_000,
  'frontend.namespaceRPS': 20_000,
  'frontend.namespaceCount': 20_000,
  'frontend.namespaceRPS.visibility': 1_000,
  'frontend.persistenceMaxQPS': 20_000,
  'history.persistenceMaxQPS': 20_000,
};

/** Its database is a file: in memory the data are lost with the one connection to it, which the server opens anew after some errors. */
export async function launchTemporal(
  program: string,
  folder: string,
  { withUi }: { withUi: boolean },
): Promise<TemporalLaunch> {
  const [port, httpPort] = [await freePort(), await freePort()];
  const namespace = process.env.TEMPORAL_NAMESPACE || 'default';
  const uiPort = withUi ? ((await isFree(usualUiPort)) ? usualUiPort : await freePort()) : undefined;
  return {
    name: 'temporal',
    command: program,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--http-port', String(httpPort)],
      ...['--namespace', namespace],
      ...(uiPort ? ['--ui-port', String(uiPort)] : ['--headless']),
      ...storage,
      ...searchAttributes.flatMap((name) => ['--search-attribute', `${name}=Keyword`]),
      ...Object.entries(dynamicConfig).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    ],
    cwd: folder,
    ready: () => isReady(httpPort, namespace),
    isStuck: () => isStuck(httpPort, namespace),
    address: `127.0.0.1:${port}`,
    uiUrl: uiPort === undefined ? undefined : `http://127.0.0.1:${uiPort}`,
  };
}

const storage = [
  // In the server's own folder. It makes a URI of the name, in which a folder called `a#b` would end at `a`.
  ...['--db-filename', 'temporal.db'],
  // Half as many syncs and a third of the latency: 89 ms against 182 ms at the median of a busy job.
  ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
];

const ask = (httpPort: number, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${httpPort}/api/v1/namespaces/${path}`, { signal: AbortSignal.timeout(2_000) });

/** The search attributes are registered last, after the server answers and the namespace is there. */
async function isReady(httpPort: number, namespace: string): Promise<boolean> {
  const response = await ask(httpPort, `${namespace}/search-attributes`);
  const { customAttributes = {} } = (await response.json()) as { customAttributes?: Record<string, string> };
  return searchAttributes.every((name) => name in customAttributes);
}

/** An official release has the defect that `build-temporal.ts` builds without. */
const isStuck = async (httpPort: number, namespace: string): Promise<boolean> =>
  (await (await ask(httpPort, namespace)).text()).includes('interrupted (9)');
