import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { Activities } from '../../workflows/contract/activities.ts';
import '../support/quiet-temporal.ts';
import { services } from '../support/services.ts';

/** A worker with the real workflows and these activities, and a client of the same server. */
export async function startWorker(
  taskQueue: string,
  activities: Partial<Activities>,
): Promise<{ client: Client; close(): Promise<void> }> {
  const [connection, native] = await Promise.all([
    Connection.connect({ address: services.temporalAddress }),
    NativeConnection.connect({ address: services.temporalAddress }),
  ]);
  const worker = await Worker.create({
    connection: native,
    namespace: services.temporalNamespace,
    taskQueue,
    workflowBundle: { codePath: services.workflowBundlePath },
    activities,
    maxHeartbeatThrottleInterval: '100ms',
  });
  const stopped = worker.run();
  return {
    client: new Client({ connection, namespace: services.temporalNamespace }),
    async close() {
      worker.shutdown();
      await stopped;
      await Promise.all([connection.close(), native.close()]);
    },
  };
}
