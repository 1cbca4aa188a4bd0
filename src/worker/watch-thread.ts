import type { WorkflowCreator } from './held-workflows.ts';

/** No activation takes so long, also on a machine that is busy. */
const stuckMs = 30_000;

/** Whether the thread that runs workflow code answers. */
export interface ThreadWatch {
  /** False: a request to it has had no answer for 30 s. Only a restart of the process helps, because the thread cannot be interrupted. */
  isResponsive(): boolean;
  watch(creator: WorkflowCreator): WorkflowCreator;
}

/** Nothing else notices a stuck thread: the SDK's own watchdog is off, `docs/optimisations/README.md`. */
export function createThreadWatch(now: () => number = () => performance.now()): ThreadWatch {
  const pending = new Set<{ startedAt: number }>();
  const timed = async <T>(request: Promise<T>): Promise<T> => {
    const sent = { startedAt: now() };
    pending.add(sent);
    try {
      return await request;
    } finally {
      pending.delete(sent);
    }
  };
  return {
    // A set is in the order of insertion: the first is the oldest.
    isResponsive() {
      const [oldest] = pending;
      return oldest === undefined || now() - oldest.startedAt < stuckMs;
    },
    watch: (creator) => ({
      async createWorkflow(options) {
        const workflow = await timed(creator.createWorkflow(options));
        return {
          activate: (activation) => timed(workflow.activate(activation)),
          getAndResetSinkCalls: () => workflow.getAndResetSinkCalls(),
          dispose: () => timed(workflow.dispose()),
        };
      },
      destroy: () => creator.destroy(),
    }),
  };
}
