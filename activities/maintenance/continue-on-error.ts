import { Unavailable } from '../../src/errors.ts';
import type { Log } from '../../src/log.ts';

/** Whether `work` succeeded. What fails is left for a later round and does not hold up the rest; an outage ends the round. */
export async function continueOnError(
  work: Promise<unknown>,
  log: Log,
  what: Record<string, string>,
): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    log.error({ err: error, ...what }, 'left for a later round');
    return false;
  }
}
