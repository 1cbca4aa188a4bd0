import { join } from 'node:path';
import { GivenSettings } from '../../src/config.ts';
import { readOrCreateSecret } from './files.ts';
import { launchProgram } from './programs.ts';
import { freePort } from './services/free-port.ts';
import type { Supervisor } from './supervisor.ts';

/** `settings` are for the gateway. `models` returns the models that the sample job uses. */
export type Upstream = { url: string; settings: NodeJS.ProcessEnv; models: () => Promise<string[]> };

/**
 * The simulated upstream stores its teams and keys in memory only. It is started without a master key, so that it accepts the keys
 * of teams that were created in an earlier start.
 */
export async function startUpstream(supervisor: Supervisor): Promise<Upstream> {
  const configuredUrl = process.env.UPSTREAM_BASE_URL;
  if (configuredUrl) return { url: configuredUrl, settings: {}, models: () => firstModel(configuredUrl) };
  const { url } = await supervisor.start(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/health/liveliness`, { signal: AbortSignal.timeout(2_000) })).ok;
    const env = { PORT: String(port), HOST: '127.0.0.1', SIMULATOR_MASTER_KEY: '' };
    return { ...launchProgram('upstream', 'tools/simulator/main.ts', env, ready), announces: true, url };
  });
  supervisor.print('  Upstream: the simulated one');
  const masterKey =
    process.env.UPSTREAM_MASTER_KEY || readOrCreateSecret(join(supervisor.folder, 'upstream-master-key'), 'sk-');
  // Nothing here is real, so that a price is made up too: the console then shows revenue and margins.
  const USD_PER_CREDIT = process.env.USD_PER_CREDIT || '0.10';
  const settings = { UPSTREAM_BASE_URL: url, UPSTREAM_MASTER_KEY: masterKey, USD_PER_CREDIT };
  return { url, settings, models: async () => ['gpt-4o-mini', 'claude-haiku-4-5'] };
}

/** At the address that api and worker use: `UPSTREAM_BASE_URL` without what people add to it. */
export async function firstModel(configuredUrl: string): Promise<string[]> {
  const url = `${GivenSettings.shape.UPSTREAM_BASE_URL.parse(configuredUrl)}/models`;
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${process.env.UPSTREAM_MASTER_KEY ?? ''}` },
    signal: AbortSignal.timeout(10_000),
  }).catch((error: Error) => {
    const { code, message } = (error.cause ?? error) as NodeJS.ErrnoException;
    throw new Error(`${url} (UPSTREAM_BASE_URL) does not respond: ${code ?? message}`, { cause: error });
  });
  if (!response.ok) throw new Error(`${url} (UPSTREAM_BASE_URL) was answered with ${response.status}`);
  const { data = [] } = (await response.json().catch((error: unknown) => {
    throw new Error(`${url} (UPSTREAM_BASE_URL) was not answered with JSON: most servers need /v1`, { cause: error });
  })) as { data?: { id: string }[] };
  return data.slice(0, 1).map(({ id }) => id);
}
