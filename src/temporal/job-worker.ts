import { type CompiledWorkerOptions, Worker } from '@temporalio/worker';

type CreatorArguments = Parameters<(typeof Worker)['createWorkflowCreator']>;

/**
 * A worker whose workflows run unwatched. The SDK starts a thread each time it enters the sandbox, three to five times an
 * activation, to end workflow code that has not returned after five seconds: half of the workflow thread's time. What ours
 * does is bounded by the sizes that a job's metadata, calls and commands may have. What speaks against it: docs/decisions/0021.
 */
export class JobWorker extends Worker {
  protected static override createWorkflowCreator(...[bundle, options, log]: CreatorArguments) {
    const { isolateExecutionTimeoutMs: _watched, ...unwatched } = options;
    return Worker.createWorkflowCreator(bundle, unwatched as CompiledWorkerOptions, log);
  }
}
