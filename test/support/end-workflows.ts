import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** Terminates the workflows of a task queue, so that a Temporal server that outlives the run keeps none. */
export async function endWorkflows(temporal: Client, taskQueue: string): Promise<void> {
  const query = `TaskQueue = '${taskQueue}' and ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal.workflow.list({ query })) await end(temporal, workflowId);
}

/** A workflow of the list may have ended by itself meanwhile. */
const end = (temporal: Client, workflowId: string) =>
  temporal.workflow
    .getHandle(workflowId)
    .terminate()
    .catch((error) => {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    });
