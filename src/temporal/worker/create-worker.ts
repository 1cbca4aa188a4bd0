import { type CompiledWorkerOptions, Worker } from '@temporalio/worker';
import { type HearDecision, observeCommands } from './observe-commands.ts';

type CreatorArguments = Parameters<(typeof Worker)['createWorkflowCreator']>;

/**
 * A worker that `hear`s what its workflows decide before the server does, and without the SDK's watchdog on workflow code. The
 * SDK starts a thread each time it enters the sandbox, three to five times an activation, to end workflow code that has not
 * returned after five seconds: half of the workflow thread's time. What our code does is bounded by the size limits of a job's
 * metadata, calls and commands. What speaks against it: docs/decisions/0021.
 */
export const createWorkerClass = (
  tuning: { maxEagerActivityReservationsPerWorkflowTask: number },
  hear: HearDecision,
) =>
  class JobWorker extends Worker {
    protected static override async createWorkflowCreator(...[bundle, options, log]: CreatorArguments) {
      const { isolateExecutionTimeoutMs: _watched, ...unwatched } = options;
      const creator = await Worker.createWorkflowCreator(bundle, unwatched as CompiledWorkerOptions, log);
      return observeCommands(creator, tuning.maxEagerActivityReservationsPerWorkflowTask, hear);
    }
  };
