import { setTimeout as pause } from 'node:timers/promises';
import { ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Log } from '../../log.ts';
import type { Temporal } from '../connection/client.ts';

/**
 * `maintenance`, twice a minute. What an outage left behind is mended a minute after it at the latest. A round that
 * was missed is not made up for: the next one finds the same work.
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
      // A round that hangs makes room for the next one.
      workflowRunTimeout: '10m',
    },
  }) satisfies ScheduleOptions;

/**
 * Checks once a minute that the schedules exist, until the returned function is called: Temporal may have been away when this
 * worker started, or may have lost them since.
 */
export function maintainSchedules(temporal: Temporal, log: Log, everyMs = 60_000): () => Promise<void> {
  const ending = new AbortController();
  const keep = async () => {
    while (!ending.signal.aborted) {
      await ensureSchedules(temporal).catch((err: unknown) => log.warn({ err }, 'the schedules could not be made yet'));
      await pause(everyMs, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  };
  const kept = keep();
  return () => {
    ending.abort();
    return kept;
  };
}

/** Makes the schedules that are missing, and leaves those that are there: an operator may have paused one. */
export async function ensureSchedules(temporal: Temporal): Promise<void> {
  const { client, taskQueue } = temporal;
  await temporal
    .request(() => client.schedule.create(maintenance(taskQueue)))
    .catch((error: unknown) => {
      if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    });
}
