import { isCancellation, log } from '@temporalio/workflow';
import { maintenanceActivities, maintenanceSteps } from './activities.ts';

/** One round of maintenance, twice a minute; the schedule never starts two at once. A step that fails runs again in the next round. */
export async function maintenance(): Promise<void> {
  for (const step of maintenanceSteps) {
    try {
      await maintenanceActivities[step]();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('maintenance: step failed', { step, error });
    }
  }
}
