import { randomUUID } from 'node:crypto';
import { lastRound } from '../../workflows/contract/messages.ts';
import type { MaintenanceWorkflow } from '../../workflows/contract/workflows.ts';
import type { Gateway } from './gateway.ts';
import { until } from './until.ts';

const neverMs = 86_400_000;

/** One round of maintenance. */
export async function maintain({ deps }: Pick<Gateway, 'deps'>): Promise<void> {
  const { client, taskQueue } = deps.temporal;
  const rounds = await client.workflow.start<MaintenanceWorkflow>('maintenance', {
    taskQueue,
    workflowId: `maintenance-${randomUUID()}`,
    args: [{ pause_ms: neverMs }],
  });
  await until(
    () => rounds.query(lastRound),
    (round) => round !== null,
    60_000,
  );
  await rounds.terminate();
}
