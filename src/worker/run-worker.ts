import {
  DefaultLogger,
  type MetricsExporterConfig,
  NativeConnection,
  Runtime,
  type Worker,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import { createActivities } from '../../activities/index.ts';
import type { ActivityDeps } from '../../activities/ports.ts';
import { type Supervision, supervise } from '../concurrency/supervise.ts';
import { type Config, drainTimes } from '../config.ts';
import { workflowId } from '../domain/ids.ts';
import { CannotStart } from '../errors.ts';
import type { Drain } from '../health/drain.ts';
import type { Log } from '../log.ts';
import { serveMetrics } from '../server/serve-metrics.ts';
import { replaceOnNewCredentials, type Temporal, temporalAddress } from '../temporal/connection/open-temporal.ts';
import { createWorkerClass } from './create-worker.ts';
import { startHeartbeat } from './heartbeat.ts';
import { createHeldWorkflows } from './held-workflows.ts';
import { requestQueuedCalls } from './request-queued-calls.ts';
import { type SdkMetrics, withSdkMetrics } from './sdk-metrics.ts';
import { createThreadWatch } from './watch-thread.ts';
import { workerProbes } from './worker-probes.ts';
import { workflowOptions } from './workflow-sources.ts';

export type WorkerDeps = ActivityDeps & { temporal: Temporal; drain: Drain };

export interface RunningWorker {
  /** Accepts no new work. What is running may end within `DRAIN_SECONDS`; then it is cancelled, and other workers get it. */
  shutdown(): void;
  /** Resolves when it has stopped; its connections can be closed then. */
  stopped: Promise<void>;
}

export const tuning = {
  // Calls mostly wait for an upstream, so memory is the limit. 1,800 slots are for calls and 100 for attempts at deliveries: the
  // activity of a further one fails at once and is repeated (`src/holders/measures.ts`). So 100 are always free for what takes
  // milliseconds and ends jobs: settlements, records, metadata; and one of them for maintenance. A team has 100 calls under way in
  // each api, 500 at most: while an upstream hangs for 600 s, four to eighteen teams fill a worker for calls, and none for ends.
  maxConcurrentActivityTaskExecutions: 2_000,
  maxConcurrentWorkflowTaskExecutions: 100,
  maxConcurrentLocalActivityExecutions: 200,
  maxCachedWorkflows: 2_000,
  workflowThreadPoolSize: 1,
  // Up to ten calls of one workflow task are dispatched with its answer; the SDK's default is 3. Eager
  // dispatch took 33 ms instead of 84.
  maxEagerActivityReservationsPerWorkflowTask: 10,
  // A cancellation arrives with the answer to a heartbeat, so no heartbeat is delayed.
  maxHeartbeatThrottleInterval: '1s',
  stickyQueueScheduleToStartTimeout: '5s',
} as const;

/** In a worker that is fuller than this the server may have to give the activities of its workflows to others. */
const nearlyFull = 0.9;

/** Activities whose cancellation is requested at the end of the drain have so long. */
const forceMs = 5_000;

export async function runWorker(deps: WorkerDeps, sdkMetrics?: SdkMetrics): Promise<RunningWorker> {
  const { config, temporal, log } = deps;
  const connection = await connect(config).catch(async (error: unknown) => {
    throw new CannotStart(`${temporal.address} does not respond: ${await temporal.explainSilence()}`, { cause: error });
  });
  const activitiesRunning = (): number => worker.getStatus().numInFlightActivities;
  const thread = createThreadWatch();
  const { drainMs } = drainTimes(config);
  const held = createHeldWorkflows();
  const worker = await createWorkerClass((creator) => thread.watch(held.observe(creator))).create({
    ...tuning,
    shutdownGraceTime: drainMs,
    shutdownForceTime: drainMs + forceMs,
    ...workflowOptions(config),
    ...deploymentOptions(config),
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: temporal.taskQueue,
    activities: createActivities(deps),
  });
  const replaceConnection = async () => {
    worker.connection = await connect(config);
  };
  const supervision = superviseConnection(worker, replaceConnection, log);
  const credentials = replaceOnNewCredentials(config, replaceConnection, log);
  const heartbeat = await startHeartbeat(deps, supervision.isResponsive);
  requestQueuedCalls(deps, {
    hasRoom: () => activitiesRunning() < tuning.maxConcurrentActivityTaskExecutions * nearlyFull,
    willBeGiven: ({ jobId, isJobNew }) => (isJobNew ? heartbeat.isAlone() : held.has(workflowId.job(jobId))),
  });
  const registry = withSdkMetrics(deps.metrics.registry, sdkMetrics);
  const metrics = await serveMetrics({ registry }, config, workerProbes(deps, thread, supervision.isResponsive));
  const stopped = worker.run().finally(async () => {
    await heartbeat.close();
    supervision.close();
    await credentials.close();
    await metrics?.close();
    await worker.connection?.close();
  });
  const { WORKER_DEPLOYMENT: deployment, WORKER_BUILD_ID: build_id } = config;
  log.info({ task_queue: temporal.taskQueue, metrics_url: metrics?.url, deployment, build_id }, 'worker: started');
  return {
    shutdown() {
      void heartbeat.close();
      void deps.speculativeStarts.close().then(() => worker.shutdown());
    },
    stopped,
  };
}

/**
 * With both settings the worker belongs to a version of a Worker Deployment and gets the tasks that Temporal routes to this version.
 * Each run moves to the version that is current with its next task, because a worker can run any job whose version it supports: decision 47.
 */
function deploymentOptions({ WORKER_DEPLOYMENT: deploymentName, WORKER_BUILD_ID: buildId }: Config) {
  if (!deploymentName || !buildId) return {};
  const workerDeploymentOptions: WorkerDeploymentOptions = {
    useWorkerVersioning: true,
    version: { deploymentName, buildId },
    defaultVersioningBehavior: 'AUTO_UPGRADE',
  };
  return { workerDeploymentOptions };
}

/** Messages are ids and small numbers: to compress them costs more than to send them. */
export const uncompressed = { grpcCompression: { codec: 'none' } } as const;

const connect = (config: Config): Promise<NativeConnection> =>
  NativeConnection.connect({ ...temporalAddress(config), ...uncompressed });

const pingTimeoutMs = 1_000;

/** The worker's polls on a replaced connection end with the SDK's own keepalive, after 45 s at the latest; new ones use the new connection. */
const superviseConnection = (worker: Worker, replace: () => Promise<void>, log: Log): Supervision =>
  supervise(
    {
      name: 'temporal worker',
      async check() {
        const { connection } = worker;
        await connection?.withDeadline(Date.now() + pingTimeoutMs, () => connection.workflowService.getSystemInfo({}));
      },
      replace,
    },
    log,
  );

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Makes Temporal's log lines go to our log. Called once in a process, before the first connection. */
export function installRuntime(log: Log, metrics?: MetricsExporterConfig): void {
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', ({ level, message, meta }) => log[levels[level]](meta ?? {}, message)),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' } }, ...(metrics && { metrics }) },
  });
}
