import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import { type Polling, poll } from '../../concurrency/poll.ts';
import type { Log } from '../../log.ts';
import type { Temporal } from '../connection/client.ts';

/**
 * `maintenance`, twice a minute: the effects of an outage are repaired a minute after its end at the latest. A missed run is not
 * repeated, because the next one finds the same work.
 */
const maintenance = (taskQueue: string) =>
  ({
    scheduleId: `maintenance-${taskQueue}`,
    spec: { intervals: [{ every: '30s' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
    action: {
      type: 'startWorkflow',
      workflowType: 'maintenance',
      workflowId: `maintenance-${taskQueue}`,
      taskQueue,
      args: [],
      // A run that hangs must not prevent the next one for ever.
      workflowRunTimeout: '10m',
    },
  }) satisfies ScheduleOptions;

/** Checks once a minute that the schedule exists: Temporal may have been unavailable when this worker started, or have lost it since. */
export const maintainSchedules = (temporal: Temporal, log: Log, everyMs = 60_000): Polling =>
  poll(
    () =>
      ensureSchedules(temporal).catch((err: unknown) => log.warn({ err }, 'temporal: creation of the schedule failed')),
    everyMs,
  );

/** Creates the schedule if it is missing. An existing one is not changed: an operator may have paused it. */
export async function ensureSchedules(temporal: Temporal): Promise<void> {
  const { client, taskQueue } = temporal;
  await temporal
    .request(() => client.schedule.create(maintenance(taskQueue)))
    .catch((error: unknown) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
}
