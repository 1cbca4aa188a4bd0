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

/** Sends a message to a parent that waits for this process to listen, as process managers do: another may answer at its address. */
export const announceReady = (): unknown => process.send?.('ready');

/** Resolves when this process receives SIGTERM or SIGINT (Ctrl-C). */
export const shutdownSignal = (): Promise<unknown> => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
