import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Temporal } from './client.ts';

/**
 * `maintenance`, once a minute. Refills are due to the minute, and nothing else that it does is waited for. A round that
 * was missed is not made up for: the next one finds the same work.
 */
const maintenance = (taskQueue: string) =>
  ({
    scheduleId: `maintenance-${taskQueue}`,
    spec: { intervals: [{ every: '1m' }] },
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
    action: {
      type: 'startWorkflow',
      workflowType: 'maintenance',
      workflowId: `maintenance-${taskQueue}`,
      taskQueue,
      args: [],
      // A round that hangs makes room for the next one.
      workflowRunTimeout: '10m',
    },
  }) satisfies ScheduleOptions;

/** Makes the schedules that are missing, and leaves those that are there: an operator may have paused one. */
export async function ensureSchedules(temporal: Temporal): Promise<void> {
  const { client, taskQueue } = temporal;
  await temporal
    .ask(() => client.schedule.create(maintenance(taskQueue)))
    .catch((error: unknown) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
}
