import { randomUUID } from 'node:crypto';
import type { Client, WorkflowService } from '@temporalio/client';
import { until } from './until.ts';

type Command = NonNullable<Parameters<WorkflowService['respondWorkflowTaskCompleted']>[0]['commands']>[number];
export type Loss = (client: Client, workflowId: string) => Promise<void>;

/** `CommandType` of Temporal's API. */
const [failWorkflow, cancelWorkflow, continueAsNew] = [5, 7, 10];

const someQueue = () => `replaced-${randomUUID()}`;

/** Starts a run of the same id, which terminates the one before, on a queue without a worker. */
const replace = (client: Client, workflowId: string, taskQueue: string, workflowRunTimeout?: '1s') =>
  client.workflow.start('replacement', {
    taskQueue,
    workflowId,
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    ...(workflowRunTimeout && { workflowRunTimeout }),
  });

/** Ends the run that takes the place of the workflow with a command, as its worker would. */
async function endBy(client: Client, workflowId: string, command: Command): Promise<void> {
  const { namespace } = client.options;
  const taskQueue = someQueue();
  await replace(client, workflowId, taskQueue);
  const { taskToken } = await client.withDeadline(Date.now() + 60_000, () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: taskQueue } }),
  );
  await client.workflowService.respondWorkflowTaskCompleted({ namespace, taskToken, commands: [command] });
}

const statusOf = (client: Client, workflowId: string, runId?: string) =>
  client.workflow
    .getHandle(workflowId, runId)
    .describe()
    .then(
      ({ status }) => status.name,
      () => 'absent',
    );

/** The server terminates a running workflow first, and deletes it in the background. */
async function deleteLatestRun(client: Client, workflowId: string): Promise<void> {
  const { runId } = await client.workflow.getHandle(workflowId).describe();
  const { namespace } = client.options;
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId, runId } });
  await until(async () => (await statusOf(client, workflowId, runId)) === 'absent', Boolean, 60_000);
}

/** The ways in which a workflow ends otherwise than by itself. */
export const terminations: Record<string, Loss> = {
  'was terminated': async (client, workflowId) => {
    await client.workflow.getHandle(workflowId).terminate('by a test');
  },
  'has failed': (client, workflowId) =>
    endBy(client, workflowId, {
      commandType: failWorkflow!,
      failWorkflowExecutionCommandAttributes: { failure: { message: 'by a test' } },
    }),
  'has timed out': async (client, workflowId) => {
    const { firstExecutionRunId: lost } = await replace(client, workflowId, someQueue(), '1s');
    // A request may have resumed the job by then, in a run of its own.
    await until(async () => (await statusOf(client, workflowId, lost)) === 'TIMED_OUT', Boolean, 60_000);
  },
  'was closed as cancelled': (client, workflowId) =>
    endBy(client, workflowId, { commandType: cancelWorkflow!, cancelWorkflowExecutionCommandAttributes: {} }),
};

/** The ways in which nothing is left of a workflow. When its retention is over, the server deletes it likewise. */
export const disappearances: Record<string, Loss> = {
  'was deleted': deleteLatestRun,
  'continued as a run that was deleted': async (client, workflowId) => {
    const next = { workflowType: { name: 'replacement' }, taskQueue: { name: someQueue() } };
    await endBy(client, workflowId, {
      commandType: continueAsNew!,
      continueAsNewWorkflowExecutionCommandAttributes: next,
    });
    await deleteLatestRun(client, workflowId);
  },
};
