import { freePort, isFree } from './parts/free-port.ts';
import type { Say } from './say.ts';

const usualPort = 8000;

/** A port that somebody else has is no obstacle: another one serves, and run.json and the last lines of the start name it. */
export async function chooseApiPort(
  { HOST, PORT }: NodeJS.ProcessEnv,
  say: Say,
): Promise<{ host: string; port: number }> {
  const host = HOST || '127.0.0.1';
  const wanted = Number(PORT || usualPort);
  if (wanted !== 0 && (await isFree(wanted, host))) return { host, port: wanted };
  const port = await freePort(host);
  if (wanted !== 0) say(`  Port ${wanted} is taken by another program: the API listens on ${port} instead`);
  return { host, port };
}
