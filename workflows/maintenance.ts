import { continueAsNew, isCancellation, log, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import { rounds } from './activity-proxies.ts';
import type { RoundOfMaintenance } from './contract/activities.ts';
import { lastRound } from './contract/messages.ts';
import type { MaintenanceInput, MaintenanceWorkflow } from './contract/workflows.ts';

/**
 * A round has ten events: one run is 300 rounds, or two and a half hours. A closed run for each round would be most of what the
 * Temporal UI lists; a longer history would hold up the worker that takes over, which reads all of it.
 */
const historyLimit = 3_000;

/** Maintenance, for ever: a round, a pause, the next round. The rounds are in `activities/maintenance`, so that this seldom changes. */
export async function maintenance(input: MaintenanceInput): Promise<never> {
  let last: RoundOfMaintenance | null = null;
  setHandler(lastRound, () => last);
  while (workflowInfo().historyLength < (input.history_limit ?? historyLimit)) {
    try {
      last = await rounds.maintain();
    } catch (error) {
      if (isCancellation(error)) throw error;
      log.warn('maintenance: round failed', { error });
    }
    await sleep(input.pause_ms);
  }
  return continueAsNew<MaintenanceWorkflow>(input);
}
