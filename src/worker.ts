import { fileURLToPath } from 'node:url';
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { runWorker } from './run-worker.ts';

/** The process that carries out jobs: workflows decide, activities do. As many as you like. */
const config = loadConfig(process.env);
const log = createLog(config.LOG_LEVEL, 'worker');
const worker = await runWorker(config, log, {
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => worker.shutdown());
await worker.stopped;
