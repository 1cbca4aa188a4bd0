import type { Log } from './log.ts';

/** A process that cannot start logs why and ends. */
export async function startOrSay<T>(log: Log, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}
