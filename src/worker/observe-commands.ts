import { defaultPayloadConverter } from '@temporalio/common';
import type { Worker } from '@temporalio/worker';

export type WorkflowCreator = Awaited<ReturnType<(typeof Worker)['createWorkflowCreator']>>;
type Workflow = Awaited<ReturnType<WorkflowCreator['createWorkflow']>>;
type Completion = Awaited<ReturnType<Workflow['activate']>>;

/** An activity that a workflow has scheduled. */
export interface ScheduledActivity {
  workflowId: string;
  activityType: string;
  input(): unknown;
}

/**
 * Calls `onScheduled` for the activities that workflows schedule, before the server receives the commands: for the first
 * `eagerActivities` of a workflow task, because the server may give only those to this worker with its answer. Not on a replay.
 */
export function observeCommands(
  creator: WorkflowCreator,
  eagerActivities: number,
  onScheduled: (activity: ScheduledActivity) => void,
): WorkflowCreator {
  return {
    async createWorkflow(options) {
      const workflow = await creator.createWorkflow(options);
      const { workflowId } = options.info;
      return {
        async activate(activation) {
          const completion = await workflow.activate(activation);
          if (!activation.isReplaying)
            for (const activity of activitiesIn(completion).slice(0, eagerActivities))
              onScheduled({ workflowId, ...activity });
          return completion;
        },
        getAndResetSinkCalls: () => workflow.getAndResetSinkCalls(),
        dispose: () => workflow.dispose(),
      };
    },
    destroy: () => creator.destroy(),
  };
}

function activitiesIn({ successful }: Completion): Omit<ScheduledActivity, 'workflowId'>[] {
  const commands = successful?.commands ?? [];
  const cancelled = new Set(commands.map(({ requestCancelActivity }) => requestCancelActivity?.seq));
  return commands.flatMap(({ scheduleActivity: scheduled }) => {
    if (!scheduled?.activityType || cancelled.has(scheduled.seq)) return [];
    const { activityType } = scheduled;
    const [payload] = scheduled.arguments ?? [];
    return [{ activityType, input: () => payload && defaultPayloadConverter.fromPayload(payload) }];
  });
}
