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

const signals = ['SIGTERM', 'SIGINT'] as const;

/** npm and a supervisor may both pass one signal on: what follows the first within this time is the same one. */
const sameSignalMs = 1_000;

/** Resolves when this process receives SIGTERM or SIGINT (Ctrl-C). A signal that comes later than a second after the first kills it. */
export async function shutdownSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const receive = () => resolve();
  for (const signal of signals) process.on(signal, receive);
  await promise;
  const kill = () => {
    for (const signal of signals) process.off(signal, receive);
  };
  setTimeout(kill, sameSignalMs).unref();
}
