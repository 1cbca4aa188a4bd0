import { join } from 'node:path';
import type { Addresses } from './bring-up-services.ts';
import { chooseApiPort } from './choose-api-port.ts';
import { keptSecret } from './kept-secret.ts';
import { launchProgram } from './launch-program.ts';
import type { Run } from './run.ts';
import { runScript } from './run-script.ts';

export type Gateway = { url: string; masterKey: string; masterKeyFile?: string };

/** Migrates, then starts api and worker side by side: both count as up when the api says that it is ready to serve. */
export async function bringUpGateway(run: Run, addresses: Addresses, workflowBundle: string): Promise<Gateway> {
  const masterKeyFile = process.env.MASTER_KEY ? undefined : join(run.folder, 'master-key');
  const masterKey = process.env.MASTER_KEY || keptSecret(masterKeyFile!);
  await runScript('src/db/migrate.ts', [], { DATABASE_URL: addresses.databaseUrl });
  const { host, port } = await chooseApiPort(process.env, run.say);
  const url = `http://${urlHost(host)}:${port}`;
  const ready = async () => (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) })).status === 200;
  const settings = settingsOf(addresses, masterKey);
  // The worker has METRICS_PORT; the api shows its own metrics at /metrics, for the platform key.
  const apiSettings = { ...settings, HOST: host, PORT: String(port), METRICS_PORT: '' };
  const workerSettings = { ...settings, WORKFLOW_BUNDLE: workflowBundle };
  await Promise.all([
    run.bringUp(async () => launchProgram('api', 'src/api.ts', apiSettings, ready), 120_000),
    run.bringUp(async () => launchProgram('worker', 'src/worker.ts', workerSettings, ready), 120_000),
  ]);
  return { url, masterKey, masterKeyFile };
}

const settingsOf = (
  { databaseUrl, redisUrl, temporal, upstream }: Addresses,
  masterKey: string,
): NodeJS.ProcessEnv => ({
  MASTER_KEY: masterKey,
  DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  TEMPORAL_ADDRESS: temporal.address,
  ...upstream.settings,
});

/** The host part of a URL for a server that listens on this host. */
const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};
