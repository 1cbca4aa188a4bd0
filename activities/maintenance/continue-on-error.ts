import { Unavailable } from '../../src/errors.ts';
import type { Log } from '../../src/log.ts';

/**
 * Whether `work` succeeded. A failure does not stop the other items, and the next round repeats the work. An outage ends the step; the
 * round continues with the next step.
 */
export async function continueOnError(
  work: Promise<unknown>,
  log: Log,
  fields: Record<string, string>,
): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    log.error({ err: error, ...fields }, 'maintenance: item failed');
    return false;
  }
}
