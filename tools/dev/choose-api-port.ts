import { ListeningSettings, readSettings } from '../../src/config.ts';
import { freePort, isFree } from './parts/free-port.ts';
import type { Say } from './say.ts';

/** A port that another process has is no obstacle: the api takes another one, and run.json and the last lines of the start name it. */
export async function chooseApiPort(environment: NodeJS.ProcessEnv, say: Say): Promise<{ host: string; port: number }> {
  const { HOST: host, PORT: wanted } = readSettings(ListeningSettings, environment);
  if (wanted !== 0 && (await isFree(wanted, host))) return { host, port: wanted };
  const port = await freePort(host);
  if (wanted !== 0) say(`  Port ${wanted} is taken by another program: the API listens on ${port} instead`);
  return { host, port };
}
