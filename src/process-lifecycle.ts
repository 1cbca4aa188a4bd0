import { once } from 'node:events';
import type { Log } from './log.ts';

/** If `start` fails, logs why and ends the process. */
export async function startOrExit<T>(log: Log, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    log.fatal({ err: error }, 'process: start failed');
    process.exit(1);
  }
}

/** Resolves when this process receives SIGTERM or SIGINT (Ctrl-C). */
export const shutdownSignal = (): Promise<unknown> => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
