import { isCancellation, log } from '@temporalio/workflow';
import { sweeps } from './activities.ts';

/** The sweeps of a round, twice a minute, in this order. Each finds its own work; most of the time there is none. */
const rounds = [
  'startForgottenJobs',
  'sendForgottenCalls',
  'endTerminatedJobs',
  'refillTeams',
  'abandonUnmadeTeams',
  'carryTeamChanges',
  'startOverdueDeliveries',
  'endTerminatedDeliveries',
  'forgetWhatIsOld',
] as const;

/** One round of maintenance; the schedule never starts two at once. A sweep that fails runs again in the next round. */
export async function maintenance(): Promise<void> {
  for (const sweep of rounds) {
    try {
      await sweeps[sweep]();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('a sweep failed', { sweep, error });
    }
  }
}
