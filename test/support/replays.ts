import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import './quiet-temporal.ts';
import { services } from './services.ts';

/** Replays the history of a workflow. Rejects if the workflow code of today issues other commands than those in it. */
export async function expectToReplay(handle: WorkflowHandle): Promise<void> {
  const bundle = { workflowBundle: { codePath: services.workflowBundlePath } };
  await Worker.runReplayHistory(bundle, await handle.fetchHistory(), handle.workflowId);
}
