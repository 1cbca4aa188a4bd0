import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { installRuntime, runWorker } from './run-worker.ts';
import { openTemporal } from './temporal/client.ts';
import { ensureSchedules } from './temporal/schedules.ts';

/** The process that carries out jobs: workflows decide, activities do. As many as you like. */
const config = loadConfig(process.env);
const log = createLog(config.LOG_LEVEL, 'worker');
installRuntime(log);
const workflows = config.WORKFLOW_BUNDLE
  ? { workflowBundle: { codePath: config.WORKFLOW_BUNDLE } }
  : { workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)) };
const worker = await runWorker(config, log, workflows);
const temporal = openTemporal(config);
ensureSchedules(temporal)
  .catch((error: unknown) => log.error({ err: error }, 'the schedules could not be made: another worker has to'))
  .finally(() => temporal.close());

await Promise.race([worker.stopped, ...(['SIGTERM', 'SIGINT'] as const).map((signal) => once(process, signal))]);
worker.shutdown();
await worker.stopped;
