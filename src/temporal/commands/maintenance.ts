import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/common';
import type { MaintenanceInput, MaintenanceWorkflow } from '../../../workflows/contract/workflows.ts';
import { type Polling, poll } from '../../concurrency/poll.ts';
import type { Log } from '../../log.ts';
import type { Temporal } from '../connection/open-temporal.ts';

/** The effects of an outage are repaired a minute after its end at the latest. */
const pauseMs = 30_000;

/** Starts maintenance, unless it runs. */
export async function startMaintenance(
  { client, taskQueue }: Pick<Temporal, 'client' | 'taskQueue'>,
  input: MaintenanceInput = { pause_ms: pauseMs },
): Promise<void> {
  await client.workflow.start<MaintenanceWorkflow>('maintenance', {
    taskQueue,
    workflowId: `maintenance-${taskQueue}`,
    workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
    staticSummary: 'maintenance',
    args: [input],
  });
}

/** Starts maintenance, and again within a minute when it has ended: Temporal may have been unavailable, or an operator has ended it. */
export const keepMaintenanceRunning = (temporal: Temporal, log: Log, everyMs = 60_000): Polling =>
  poll(
    () =>
      temporal
        .request((client) => startMaintenance({ client, taskQueue: temporal.taskQueue }))
        .catch((err: unknown) => log.warn({ err }, 'temporal: start of maintenance failed')),
    everyMs,
  );
