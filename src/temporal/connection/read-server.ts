import { randomUUID } from 'node:crypto';
import type { Temporal } from './open-temporal.ts';

// What a check of an installation reads from the server. Each throws `Unavailable`.

export async function readServerVersion(temporal: Temporal): Promise<string> {
  const { serverVersion } = await temporal.request(({ workflowService }) => workflowService.getSystemInfo({}));
  return serverVersion;
}

/** How long the namespace keeps a workflow that has ended. */
export async function readNamespace(temporal: Temporal): Promise<{ retentionSeconds: number }> {
  const { config } = await temporal.request(({ workflowService, options: { namespace } }) =>
    workflowService.describeNamespace({ namespace }),
  );
  return { retentionSeconds: Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0) };
}

/** The clock of the server: the start of a workflow that no worker executes, and that is ended at once. */
export async function readServerClock(temporal: Temporal): Promise<{ before: number; after: number; stated: number }> {
  const before = Date.now();
  const handle = await temporal.request(({ workflow }) =>
    workflow.start('doctor', {
      taskQueue: `${temporal.taskQueue}-doctor`,
      workflowId: `doctor-${randomUUID()}`,
      workflowExecutionTimeout: '10s',
    }),
  );
  const after = Date.now();
  const { startTime } = await temporal.request(() => handle.describe());
  await temporal.request(() => handle.terminate('the check has what it needs'));
  return { before, after, stated: startTime.getTime() };
}

const jobsAtMost = 5;

const millisecondsOf = (time: { seconds?: unknown; nanos?: number | null } | null | undefined): number =>
  Number(time?.seconds ?? 0) * 1_000 + (time?.nanos ?? 0) / 1e6;

/** Milliseconds from the workflow task that has scheduled a call to its start by a worker, of the jobs that ended last. */
export async function readStartDelays(temporal: Temporal): Promise<number[]> {
  const query = `TaskQueue = '${temporal.taskQueue}' and WorkflowType = 'job' and ExecutionStatus = 'Completed'`;
  const { executions } = await temporal.request(({ workflowService, options: { namespace } }) =>
    workflowService.listWorkflowExecutions({ namespace, query, pageSize: jobsAtMost }),
  );
  const histories = await Promise.all(
    executions.map(({ execution }) =>
      temporal
        .request(({ workflow }) => workflow.getHandle(execution!.workflowId!, execution!.runId!).fetchHistory())
        .catch(() => undefined),
    ),
  );
  return histories.flatMap((history) => {
    const events = history?.events ?? [];
    const calls = events.filter(
      (one) => one.activityTaskScheduledEventAttributes?.activityType?.name === 'callUpstream',
    );
    return calls.flatMap((scheduled) => {
      const started = events.find(
        ({ activityTaskStartedEventAttributes: start }) =>
          start && String(start.scheduledEventId) === String(scheduled.eventId),
      );
      return started ? [millisecondsOf(started.eventTime) - millisecondsOf(scheduled.eventTime)] : [];
    });
  });
}
