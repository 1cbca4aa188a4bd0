import type { Worker } from '@temporalio/worker';

export type WorkflowCreator = Awaited<ReturnType<(typeof Worker)['createWorkflowCreator']>>;

/** The workflows whose state this worker has in its cache: Temporal gives it their next tasks. */
export interface HeldWorkflows {
  has(workflowId: string): boolean;
  /** A wrapper of what runs a worker's workflows, which counts them. */
  observe(creator: WorkflowCreator): WorkflowCreator;
}

export function createHeldWorkflows(): HeldWorkflows {
  /** The runs of each workflow: the next one may be there before the last one is gone. */
  const runs = new Map<string, number>();
  const add = (workflowId: string, count: number) => {
    const all = (runs.get(workflowId) ?? 0) + count;
    if (all > 0) runs.set(workflowId, all);
    else runs.delete(workflowId);
  };
  return {
    has: (workflowId) => runs.has(workflowId),
    observe: (creator) => ({
      async createWorkflow(options) {
        const workflow = await creator.createWorkflow(options);
        const { workflowId } = options.info;
        add(workflowId, 1);
        return {
          activate: (activation) => workflow.activate(activation),
          getAndResetSinkCalls: () => workflow.getAndResetSinkCalls(),
          async dispose() {
            add(workflowId, -1);
            await workflow.dispose();
          },
        };
      },
      destroy: () => creator.destroy(),
    }),
  };
}
