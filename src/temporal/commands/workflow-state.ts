import { WorkflowNotFoundError } from '@temporalio/client';
import type { Temporal } from '../connection/open-temporal.ts';

/**
 * What Temporal has of a workflow. `absent`: it was never started, was deleted, or ended longer ago than the retention.
 * `terminated`: it ended in any way but its own.
 */
export type WorkflowState = 'running' | 'completed' | 'terminated' | 'absent';

const endedAs: Record<string, WorkflowState> = {
  COMPLETED: 'completed',
  TERMINATED: 'terminated',
  FAILED: 'terminated',
  TIMED_OUT: 'terminated',
  CANCELLED: 'terminated',
  // The run that followed is not there.
  CONTINUED_AS_NEW: 'absent',
};

/** The state of the latest run. Throws `Unavailable`. */
export async function stateOfWorkflow(temporal: Temporal, workflowId: string): Promise<WorkflowState> {
  try {
    const { status } = await temporal.request((client) => client.workflow.getHandle(workflowId).describe());
    // A paused workflow runs too.
    return endedAs[status.name] ?? 'running';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'absent';
    throw error;
  }
}

/**
 * Finds which of these workflows run, at most 1,000 of them, in one request to Temporal's visibility, which may be some seconds
 * late in both directions. Throws `Unavailable`.
 */
export async function listRunning(temporal: Temporal, workflowIds: readonly string[]): Promise<Set<string>> {
  if (workflowIds.length === 0) return new Set();
  const quoted = workflowIds.map((id) => `'${id}'`).join(', ');
  const query = `ExecutionStatus = 'Running' and WorkflowId in (${quoted})`;
  const { executions } = await temporal.request(({ workflowService, options: { namespace } }) =>
    workflowService.listWorkflowExecutions({ namespace, query, pageSize: workflowIds.length }),
  );
  return new Set(executions.map(({ execution }) => execution?.workflowId ?? ''));
}
