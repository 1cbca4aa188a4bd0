import './keep-heap-small.ts';
import { once } from 'node:events';
import { loadConfig } from './config.ts';
import { createLog } from './log.ts';
import { installRuntime, runWorker } from './run-worker.ts';
import { startOrSay } from './start-or-say.ts';
import { openTemporal } from './temporal/client.ts';
import { keepSchedules } from './temporal/schedules.ts';

/** The process that carries out jobs: workflows decide, activities do. As many as you like. */
const config = loadConfig(process.env);
const log = createLog(config.LOG_LEVEL, 'worker');
installRuntime(log);
const worker = await startOrSay(log, () => runWorker(config, log));
const temporal = openTemporal(config);
const leaveSchedules = keepSchedules(temporal, log);

await Promise.race([worker.stopped, ...(['SIGTERM', 'SIGINT'] as const).map((signal) => once(process, signal))]);
worker.shutdown();
await Promise.all([worker.stopped, leaveSchedules()]);
await temporal.close();
// Connections to a server that is frozen never close, and would keep the process for as long as it is.
process.exit();
