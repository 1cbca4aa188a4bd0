import { proxyActivities } from '@temporalio/workflow';

/** Runs somebody else's workflow, in a worker of theirs, which has the gateway's worker execute an activity with any input. */
export async function forge(taskQueue: string, activity: string, input: unknown): Promise<unknown> {
  const activities = proxyActivities<Record<string, (given: unknown) => Promise<unknown>>>({
    taskQueue,
    startToCloseTimeout: '20s',
    heartbeatTimeout: '20s',
    retry: { maximumAttempts: 2 },
  });
  return activities[activity]!(input);
}
