import { type CompiledWorkerOptions, Worker } from '@temporalio/worker';
import type { WorkflowCreator } from './held-workflows.ts';

type CreatorArguments = Parameters<(typeof Worker)['createWorkflowCreator']>;

/**
 * A worker without the SDK's watchdog on workflow code, a thread that the SDK starts each time it enters the sandbox, three to
 * five times an activation, to end code that has not returned after five seconds: docs/optimisations/README.md.
 * `wrap` may observe what its workflows decide.
 */
export const createWorkerClass = (wrap: (creator: WorkflowCreator) => WorkflowCreator) =>
  class JobWorker extends Worker {
    protected static override async createWorkflowCreator(...[bundle, options, log]: CreatorArguments) {
      const { isolateExecutionTimeoutMs: _, ...unwatched } = options;
      return wrap(await Worker.createWorkflowCreator(bundle, unwatched as CompiledWorkerOptions, log));
    }
  };
