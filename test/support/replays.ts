import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { services } from './services.ts';

/** Whether a worker that knows nothing of a workflow but its history comes to what is in it. Rejects with what it came to instead. */
export async function expectToReplay(handle: WorkflowHandle): Promise<void> {
  const bundle = { workflowBundle: { codePath: services.workflowBundlePath } };
  await Worker.runReplayHistory(bundle, await handle.fetchHistory(), handle.workflowId);
}
