import { createSpeculativeStarts } from '../../activities/call-upstream/speculative-start.ts';
import type { Config } from '../../src/config.ts';
import { openWorkerDeps } from '../../src/deps.ts';
import type { Log } from '../../src/log.ts';
import { type RunningWorker, runWorker } from '../../src/worker/run-worker.ts';

/** A worker in the process of the test: it takes a tenth of what a process of its own takes to start. */
export async function startWorkerInProcess(config: Config, log: Log): Promise<RunningWorker> {
  const opened = await openWorkerDeps(config, log);
  // A test file has too few calls to reach the usual figure.
  const speculativeStarts = createSpeculativeStarts(opened.deps.metrics, { trustedAfter: 0, discardAfterMs: 15_000 });
  const running = await runWorker({ ...opened.deps, ...(config.SPECULATIVE_START && { speculativeStarts }) });
  return { ...running, stopped: running.stopped.finally(opened.close) };
}
