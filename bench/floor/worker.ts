import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { NativeConnection, Worker } from '@temporalio/worker';
import { tuning, uncompressed } from '../../src/worker/run-worker.ts';
import { createFloorActivities } from './activities.ts';

/** The floor's worker, with the connection and tuning of the gateway's worker, so that only the work differs. */
const { TEMPORAL_ADDRESS, REDIS_URL = '', UPSTREAM_BASE_URL = '', TEMPORAL_TASK_QUEUE = '' } = process.env;
const connection = await NativeConnection.connect({ address: TEMPORAL_ADDRESS, ...uncompressed });
const worker = await Worker.create({
  ...tuning,
  connection,
  taskQueue: TEMPORAL_TASK_QUEUE,
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  activities: createFloorActivities(UPSTREAM_BASE_URL, REDIS_URL),
});
const running = worker.run();
await once(process, 'SIGTERM');
worker.shutdown();
await running;
process.exit(0);
