import type { Client } from '@temporalio/client';

/** Terminates the workflows of a task queue, so that a Temporal server that outlives the run keeps none. */
export async function endWorkflows(temporal: Client, taskQueue: string): Promise<void> {
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query }))
    await temporal.workflow.getHandle(workflowId).terminate();
}
