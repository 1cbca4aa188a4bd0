import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { startSpeculatively } from '../../../activities/call-upstream/start-speculatively.ts';
import { createActivities } from '../../../activities/index.ts';
import type { ActivityDeps } from '../../../activities/ports.ts';
import type { Config } from '../../config.ts';
import { startHeartbeat } from '../../liveness/worker-heartbeat.ts';
import type { Log } from '../../log.ts';
import { serveMetrics } from '../../metrics/serve-metrics.ts';
import { type Temporal, temporalAddress } from '../connection/client.ts';
import { createWorkerClass } from './create-worker.ts';
import { workflowSources } from './workflow-sources.ts';

export type WorkerDeps = ActivityDeps & { temporal: Temporal };

export interface RunningWorker {
  /** Takes no new work and finishes what it has, within the grace time. */
  shutdown(): void;
  /** Resolves when it has stopped; what it was given to use can be closed then. */
  stopped: Promise<void>;
}

export const tuning = {
  // Calls mostly wait for an upstream: memory limits them, not cores. So many that one team's limit of calls a minute does not
  // fill them while an upstream hangs: other teams' calls, and the ends of jobs, would wait for as long.
  maxConcurrentActivityTaskExecutions: 2_000,
  maxConcurrentWorkflowTaskExecutions: 100,
  maxConcurrentLocalActivityExecutions: 200,
  maxCachedWorkflows: 2_000,
  workflowThreadPoolSize: 1,
  // A burst of calls in one task is dispatched at once: measured 33 ms against 84 without.
  maxEagerActivityReservationsPerWorkflowTask: 10,
  // A cancellation arrives with the answer to a heartbeat, so no heartbeat is held back.
  maxHeartbeatThrottleInterval: '1s',
  stickyQueueScheduleToStartTimeout: '5s',
  shutdownGraceTime: '20s',
  shutdownForceTime: '25s',
} as const;

/** Activities under way from which on the server may have to keep what a workflow decides on for later. */
const nearlyFull = tuning.maxConcurrentActivityTaskExecutions * 0.9;

export async function runWorker(deps: WorkerDeps): Promise<RunningWorker> {
  const { config, temporal, log } = deps;
  // Only ids and small numbers pass: packing them costs more than sending them.
  const connection = await NativeConnection.connect({ ...temporalAddress(config), grpcCompression: { codec: 'none' } });
  const begin = startSpeculatively(deps);
  const worker = await createWorkerClass(tuning, (decided) => {
    if (worker.getStatus().numInFlightActivities < nearlyFull) begin(decided);
  }).create({
    ...tuning,
    ...workflowsOf(config),
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: temporal.taskQueue,
    activities: createActivities(deps),
  });
  const endBeating = await startHeartbeat(deps);
  const metrics = await serveMetrics(deps.metrics, config);
  const stopped = worker.run().finally(async () => {
    await endBeating();
    await metrics?.close();
    await connection.close();
  });
  log.info({ task_queue: temporal.taskQueue }, 'worker is up');
  return {
    shutdown() {
      deps.speculativeStarts.close();
      void endBeating();
      worker.shutdown();
    },
    stopped,
  };
}

/** A bundle that was built before, or the sources, bundled now. */
function workflowsOf({ WORKFLOW_BUNDLE: codePath }: Config) {
  if (codePath) return { workflowBundle: { codePath } };
  const { workflowsPath, preloadModules } = workflowSources;
  return { workflowsPath, bundlerOptions: { preloadModules } };
}

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Called once in a process, before the first connection: Temporal's own log lines join ours. */
export function installRuntime(log: Log): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', ({ level, message, meta }) => log[levels[level]](meta ?? {}, message)),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' } } },
  });
}
