import { freePort, isFree } from './parts/free-port.ts';
import type { Say } from './say.ts';

const usualPort = 8000;

/** Somebody else on the usual port is no obstacle; on a port that was asked for it is, because callers will look there. */
export async function chooseApiPort(say: Say): Promise<{ host: string; port: number }> {
  const host = process.env.HOST || '127.0.0.1';
  const wanted = process.env.PORT ? Number(process.env.PORT) : undefined;
  if (wanted === 0) return { host, port: await freePort() };
  if (wanted !== undefined) {
    if (await isFree(wanted, host)) return { host, port: wanted };
    throw new Error(
      `PORT asks for ${wanted}, which cannot be listened on at ${host}: another program may have it. Set another PORT, or none.`,
    );
  }
  if (await isFree(usualPort, host)) return { host, port: usualPort };
  const port = await freePort();
  say(`  Port ${usualPort} is taken by another program: the API listens on ${port} instead (PORT chooses)`);
  return { host, port };
}
