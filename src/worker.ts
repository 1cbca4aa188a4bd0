import './v8-flags.ts';
import { loadConfig } from './config.ts';
import { openWorkerDeps } from './deps.ts';
import { checkStart } from './health/check-start.ts';
import { createLog } from './log.ts';
import { announceReady, settingsOrExit, shutdownSignal, startOrExit } from './process-lifecycle.ts';
import { keepMaintenanceRunning } from './temporal/commands/maintenance.ts';
import { installRuntime, runWorker } from './worker/run-worker.ts';
import { serveSdkMetrics } from './worker/sdk-metrics.ts';

/** The process that executes jobs, with workflows and activities. Any number of them can run. */
const config = settingsOrExit(() => loadConfig(process.env));
const log = createLog(config.LOG_LEVEL, 'worker');
const sdkMetrics =
  config.METRICS_PORT === undefined ? undefined : await serveSdkMetrics((to) => installRuntime(log, to));
if (!sdkMetrics) installRuntime(log);
const { deps, close, worker } = await startOrExit(log, async () => {
  await checkStart(config, log);
  const opened = await openWorkerDeps(config, log);
  return { ...opened, worker: await runWorker(opened.deps, sdkMetrics) };
});
announceReady();
const maintenance = keepMaintenanceRunning(deps.temporal, log);

await Promise.race([worker.stopped, shutdownSignal()]);
deps.drain.begin();
log.info('worker: draining');
worker.shutdown();
await Promise.all([worker.stopped, maintenance.close()]);
await close();
// Connections to a frozen server never close, and would keep the process alive.
process.exit();
