import { randomUUID } from 'node:crypto';
import type { Gateway } from './gateway.ts';

/** One round of maintenance, as the schedule starts it. */
export async function maintain({ deps }: Gateway): Promise<void> {
  const { client, taskQueue } = deps.temporal;
  await client.workflow.execute('maintenance', { taskQueue, workflowId: `maintenance-${randomUUID()}` });
}
