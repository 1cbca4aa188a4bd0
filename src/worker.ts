import './v8-flags.ts';
import { loadConfig } from './config.ts';
import { openWorkerDeps } from './deps.ts';
import { createLog } from './log.ts';
import { shutdownSignal, startOrExit } from './process-lifecycle.ts';
import { maintainSchedules } from './temporal/commands/schedules.ts';
import { installRuntime, runWorker } from './temporal/worker/run-worker.ts';

/** The process that carries out jobs: workflows decide, activities do. As many as you like. */
const config = loadConfig(process.env);
const log = createLog(config.LOG_LEVEL, 'worker');
installRuntime(log);
const { deps, close, worker } = await startOrExit(log, async () => {
  const opened = await openWorkerDeps(config, log);
  return { ...opened, worker: await runWorker(opened.deps) };
});
const leaveSchedules = maintainSchedules(deps.temporal, log);

await Promise.race([worker.stopped, shutdownSignal()]);
worker.shutdown();
await Promise.all([worker.stopped, leaveSchedules()]);
await close();
// Connections to a server that is frozen never close, and would keep the process for as long as it is.
process.exit();
