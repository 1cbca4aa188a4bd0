import { once } from 'node:events';
import type { Log } from './log.ts';

/** A process that cannot start logs why and ends. */
export async function startOrExit<T>(log: Log, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}

/** Resolves when this process is asked to end: by Ctrl-C, or by what started it. */
export const shutdownSignal = (): Promise<unknown> => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
