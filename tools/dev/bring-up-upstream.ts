import { join } from 'node:path';
import { keptSecret } from './kept-secret.ts';
import { launchProgram } from './launch-program.ts';
import { freePort } from './parts/free-port.ts';
import type { Run } from './run.ts';

/** `models`: the models that the sample job may ask. */
export type Upstream = { url: string; settings: NodeJS.ProcessEnv; models: () => Promise<string[]> };

/**
 * The simulated upstream keeps its teams and keys in memory only. It gets no master key of its own, so that the teams of an
 * earlier start can go on calling it.
 */
export async function bringUpUpstream(run: Run): Promise<Upstream> {
  if (process.env.UPSTREAM_BASE_URL) return configuredUpstream(process.env.UPSTREAM_BASE_URL);
  const { url } = await run.bringUp(async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const ready = async () => (await fetch(`${url}/health/liveliness`, { signal: AbortSignal.timeout(2_000) })).ok;
    const env = { PORT: String(port), HOST: '127.0.0.1', SIMULATOR_MASTER_KEY: '' };
    return { ...launchProgram('upstream', 'tools/simulator/main.ts', env, ready), url };
  });
  run.say('  Upstream: the simulated one');
  const masterKey = process.env.UPSTREAM_MASTER_KEY || keptSecret(join(run.folder, 'upstream-master-key'), 'sk-');
  const settings = { UPSTREAM_BASE_URL: url, UPSTREAM_MASTER_KEY: masterKey };
  return { url, settings, models: async () => ['gpt-4o-mini', 'claude-haiku-4-5'] };
}

function configuredUpstream(url: string): Upstream {
  return { url, settings: {}, models: () => firstModel(url) };
}

async function firstModel(url: string): Promise<string[]> {
  const response = await fetch(`${url.replace(/\/(v1\/?)?$/, '')}/v1/models`, {
    headers: { authorization: `Bearer ${process.env.UPSTREAM_MASTER_KEY ?? ''}` },
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`the upstream answered ${response.status} when asked for its models`);
  const { data = [] } = (await response.json()) as { data?: { id: string }[] };
  return data.slice(0, 1).map(({ id }) => id);
}
