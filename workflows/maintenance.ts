import { isCancellation, log } from '@temporalio/workflow';
import { sweepNames, sweeps } from './activities.ts';

/** One round of maintenance, twice a minute; the schedule never starts two at once. A sweep that fails runs again in the next round. */
export async function maintenance(): Promise<void> {
  for (const sweep of sweepNames) {
    try {
      await sweeps[sweep]();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('a sweep failed', { sweep, error });
    }
  }
}
