import type { Client } from '@temporalio/client';

/** A server that is not ours keeps nothing of us: no schedule that fires for ever, no workflow without a worker. */
export async function endWorkflows(temporal: Client, taskQueue: string): Promise<void> {
  await temporal.schedule.getHandle(`maintenance-${taskQueue}`).delete();
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query }))
    await temporal.workflow.getHandle(workflowId).terminate();
}
