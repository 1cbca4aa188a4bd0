import { once } from 'node:events';
import { CannotStart } from './errors.ts';
import type { Log } from './log.ts';

/** Returns the settings. If they are not complete, prints which of them and ends the process. */
export function settingsOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    console.error((error as Error).message);
    process.exit(1);
  }
}

/** If `start` fails, logs why and ends the process. */
export async function startOrExit<T>(log: Log, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    const why = error instanceof CannotStart ? { problem: error.message } : { err: error };
    log.fatal(why, 'process: start failed');
    process.exit(1);
  }
}

/** Sends a message to a parent that waits for this process to listen, as process managers do: another may answer at its address. */
export const announceReady = (): unknown => process.send?.('ready');

/** Resolves when this process receives SIGTERM or SIGINT (Ctrl-C). */
export const shutdownSignal = (): Promise<unknown> => Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
