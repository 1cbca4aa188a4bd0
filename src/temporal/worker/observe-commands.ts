import { defaultPayloadConverter } from '@temporalio/common';
import type { Worker } from '@temporalio/worker';

export type WorkflowCreator = Awaited<ReturnType<(typeof Worker)['createWorkflowCreator']>>;
type Workflow = Awaited<ReturnType<WorkflowCreator['createWorkflow']>>;
type Completion = Awaited<ReturnType<Workflow['activate']>>;

/** An activity that a workflow has decided on. */
export interface DecidedActivity {
  workflowId: string;
  activityType: string;
  input(): unknown;
}

export type HearDecision = (decided: DecidedActivity) => void;

/**
 * Tells of the activities that workflows decide on, before the server is told: of the first `most` of a workflow task, which
 * are those that the server may give to this worker with its answer. Not of what is only replayed.
 */
export function observeCommands(creator: WorkflowCreator, most: number, hear: HearDecision): WorkflowCreator {
  return {
    async createWorkflow(options) {
      const workflow = await creator.createWorkflow(options);
      const { workflowId } = options.info;
      return {
        async activate(activation) {
          const completion = await workflow.activate(activation);
          if (!activation.isReplaying)
            for (const one of decidedIn(completion).slice(0, most)) hear({ workflowId, ...one });
          return completion;
        },
        getAndResetSinkCalls: () => workflow.getAndResetSinkCalls(),
        dispose: () => workflow.dispose(),
      };
    },
    destroy: () => creator.destroy(),
  };
}

function decidedIn({ successful }: Completion): Omit<DecidedActivity, 'workflowId'>[] {
  const commands = successful?.commands ?? [];
  const cancelled = new Set(commands.map(({ requestCancelActivity }) => requestCancelActivity?.seq));
  return commands.flatMap(({ scheduleActivity: scheduled }) => {
    if (!scheduled?.activityType || cancelled.has(scheduled.seq)) return [];
    const { activityType } = scheduled;
    const [payload] = scheduled.arguments ?? [];
    return [{ activityType, input: () => payload && defaultPayloadConverter.fromPayload(payload) }];
  });
}
