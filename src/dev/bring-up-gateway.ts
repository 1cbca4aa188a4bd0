import { join } from 'node:path';
import type { Addresses } from './bring-up-services.ts';
import { chooseApiPort } from './choose-api-port.ts';
import { keptSecret } from './kept-secret.ts';
import { launchProgram, project } from './launch-program.ts';
import { runProgram } from './parts/run-program.ts';
import type { Run } from './run.ts';

export type Gateway = { url: string; masterKey: string; masterKeyFile?: string };

/** Migrates, then starts api and worker side by side: both count as up when the api says that it is ready to serve. */
export async function bringUpGateway(run: Run, addresses: Addresses): Promise<Gateway> {
  const masterKeyFile = process.env.MASTER_KEY ? undefined : join(run.folder, 'master-key');
  const masterKey = process.env.MASTER_KEY || keptSecret(masterKeyFile!);
  const settings = settingsOf(addresses, masterKey);
  await migrate(addresses.databaseUrl);
  const { host, port } = await chooseApiPort(run.say);
  const url = `http://${urlHost(host)}:${port}`;
  const ready = async () => (await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(5_000) })).status === 200;
  const env = { ...settings, HOST: host, PORT: String(port) };
  await Promise.all([
    run.bringUp(async () => launchProgram('api', 'src/api.ts', env, ready), 120_000),
    run.bringUp(async () => launchProgram('worker', 'src/worker.ts', settings, ready), 120_000),
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

async function migrate(databaseUrl: string): Promise<void> {
  const { ok, output } = await runProgram(process.execPath, [join(project, 'src/db/migrate.ts')], {
    cwd: project,
    env: { ...process.env, DATABASE_URL: databaseUrl },
    timeoutMs: 600_000,
  });
  if (!ok) throw new Error(`The database could not be brought up to this version:\n${output}`);
}

/** Where to reach what listens on this host, as part of a URL. */
const urlHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::' || host === '') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
};
