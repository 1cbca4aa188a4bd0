import type { Worker as Thread } from 'node:worker_threads';
import { type CompiledWorkerOptions, Worker } from '@temporalio/worker';

type Bundle = { code: string; filename: string };
/** Runs workflows in its threads, or, for a replay, in the main thread. */
type Creator = { destroy(): Promise<void>; workerThreadClients?: { workerThread: Thread }[] };
type Create = (bundle: Bundle, options: CompiledWorkerOptions, log: unknown) => Promise<Creator>;
type ReadBundle = (options: CompiledWorkerOptions, log: unknown) => Promise<Bundle | undefined>;

/** Members that the SDK has for its own classes. */
const worker = Worker as unknown as { createWorkflowCreator: Create; getOrCreateBundle: ReadBundle };
const { createWorkflowCreator, getOrCreateBundle } = worker;

const idle = new Map<string, Creator[]>();
const bundles = new Map<string, Promise<Bundle | undefined>>();

/**
 * A worker begins with the workflow thread of one that has ended: to start a thread and to load the workflows into it takes half a
 * second of a core, and the tests start hundreds of workers. Two workers that run at the same time have a thread each, as in the product.
 */
worker.createWorkflowCreator = async (bundle, options, log) => {
  const { isolateExecutionTimeoutMs, debugMode, activities } = options;
  const key = JSON.stringify([bundle.filename, isolateExecutionTimeoutMs, debugMode, [...activities.keys()]]);
  const waiting = idle.get(key) ?? [];
  idle.set(key, waiting);
  const creator = waiting.pop() ?? (await createWorkflowCreator.call(Worker, bundle, options, log));
  const threads = creator.workerThreadClients?.map(({ workerThread }) => workerThread) ?? [];
  for (const thread of threads) thread.ref();
  const destroy = async () => {
    // A test process does not wait for an idle thread when it ends.
    for (const thread of threads) thread.unref();
    // The id of a thread that has ended is -1.
    if (threads.every(({ threadId }) => threadId !== -1)) waiting.push(creator);
  };
  return Object.assign(Object.create(creator), { destroy });
};

/** A bundle is read and checked once. */
worker.getOrCreateBundle = (options, log) => {
  const { workflowBundle } = options;
  const read = () => getOrCreateBundle.call(Worker, options, log);
  if (!workflowBundle || !('codePath' in workflowBundle)) return read();
  const bundle = bundles.get(workflowBundle.codePath) ?? read();
  bundles.set(workflowBundle.codePath, bundle);
  return bundle;
};
