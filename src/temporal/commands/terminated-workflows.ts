import { WorkflowNotFoundError } from '@temporalio/client';
import { idOfWorkflow, workflowId } from '../../domain/ids.ts';
import type { Temporal } from '../connection/client.ts';

/** When something closed. */
export interface Between {
  after: Date;
  until: Date;
}

/** The work whose workflow was ended from outside and so could not end it: jobs, or deliveries. */
export interface Terminated {
  /** The ids of what was terminated in that time, a page at a time. Visibility may show it late. Throws `Unavailable`. */
  list(closed: Between): AsyncIterable<string[]>;
  /** False: a later run goes on, because the terminated one was reset or begun again. Throws `Unavailable`. */
  includes(id: string): Promise<boolean>;
}

/** Ends that a workflow does not come to by itself, as the client and as a query name them. */
const notItsOwn = { TERMINATED: 'Terminated', FAILED: 'Failed', TIMED_OUT: 'TimedOut', CANCELLED: 'Canceled' };

/** The server takes ten list requests a second. */
const pageSize = 1_000;

/** The work of one type of workflow, whose ids are made by `workflowIdOf` and read by `idOf`. */
function findTerminated(
  temporal: Temporal,
  workflowType: string,
  workflowIdOf: (id: string) => string,
  idOf: (workflowId: string) => string | undefined,
): Terminated {
  const statuses = Object.values(notItsOwn).map((status) => `'${status}'`);

  return {
    async *list({ after, until }) {
      const query =
        `TaskQueue = '${temporal.taskQueue}' and WorkflowType = '${workflowType}' and ExecutionStatus in (${statuses.join(', ')}) ` +
        `and CloseTime > '${after.toISOString()}' and CloseTime <= '${until.toISOString()}'`;
      let nextPageToken: Uint8Array = Buffer.alloc(0);
      do {
        // One request for each page: `client.workflow.list` would be one for all, and long enough to seem unanswered.
        const page = await temporal.request(({ workflowService, options: { namespace } }) =>
          workflowService.listWorkflowExecutions({ namespace, query, pageSize, nextPageToken }),
        );
        const ids = page.executions
          .map(({ execution }) => idOf(execution?.workflowId ?? ''))
          .filter((id) => id !== undefined);
        if (ids.length > 0) yield ids;
        ({ nextPageToken } = page);
      } while (nextPageToken.length > 0);
    },
    async includes(id) {
      try {
        const { status } = await temporal.request((client) => client.workflow.getHandle(workflowIdOf(id)).describe());
        return status.name in notItsOwn;
      } catch (error) {
        // The workflow is past Temporal's retention.
        if (error instanceof WorkflowNotFoundError) return true;
        throw error;
      }
    },
  };
}

export const findTerminatedJobs = (temporal: Temporal): Terminated =>
  findTerminated(temporal, 'job', workflowId.job, idOfWorkflow.job);

export const findTerminatedDeliveries = (temporal: Temporal): Terminated =>
  findTerminated(temporal, 'webhookDelivery', workflowId.delivery, idOfWorkflow.delivery);
