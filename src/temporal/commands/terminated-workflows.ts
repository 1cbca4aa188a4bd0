import { WorkflowNotFoundError } from '@temporalio/client';
import { idOfWorkflow, workflowId } from '../../domain/ids.ts';
import type { Temporal } from '../connection/client.ts';

/** A range of close times. */
export interface Between {
  after: Date;
  until: Date;
}

/** Jobs, or deliveries, whose workflow ended without recording their end. */
export interface Terminated {
  /** The ids of those that ended in that time, a page at a time. Visibility may list them late. Throws `Unavailable`. */
  list(closed: Between): AsyncIterable<string[]>;
  /** False: a later run is open, because the terminated one was reset or started again. Throws `Unavailable`. */
  includes(id: string): Promise<boolean>;
}

/** The statuses of an abnormal end: the client's names, and those of a visibility query. */
const abnormalStatuses = { TERMINATED: 'Terminated', FAILED: 'Failed', TIMED_OUT: 'TimedOut', CANCELLED: 'Canceled' };

/** The server accepts ten list requests a second. */
const pageSize = 1_000;

/** For one type of workflow, whose ids `workflowIdOf` makes and `idOf` parses. */
function findTerminated(
  temporal: Temporal,
  workflowType: string,
  workflowIdOf: (id: string) => string,
  idOf: (workflowId: string) => string | undefined,
): Terminated {
  const statuses = Object.values(abnormalStatuses).map((status) => `'${status}'`);

  return {
    async *list({ after, until }) {
      const query =
        `TaskQueue = '${temporal.taskQueue}' and WorkflowType = '${workflowType}' and ExecutionStatus in (${statuses.join(', ')}) ` +
        `and CloseTime > '${after.toISOString()}' and CloseTime <= '${until.toISOString()}'`;
      let nextPageToken: Uint8Array = Buffer.alloc(0);
      do {
        // One request for each page: `client.workflow.list` would be one for all pages, and exceed the timeout.
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
        return status.name in abnormalStatuses;
      } catch (error) {
        // Temporal's retention of the workflow has expired.
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
