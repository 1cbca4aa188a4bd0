import { createSpeculativeStarts, noSpeculativeStarts } from '../activities/call-upstream/speculative-start.ts';
import type { ActivityDeps } from '../activities/ports.ts';
import { createPasswords } from './auth/passwords.ts';
import { createSecrets, type Secrets } from './auth/secrets.ts';
import { createCallSubscriptions } from './calls/call-subscriptions.ts';
import { createQueuedCalls } from './calls/queued-calls.ts';
import { createRetractions } from './calls/retract-calls.ts';
import { createStopRequests } from './calls/stop-requests.ts';
import { cachedByKey } from './concurrency/cached-for.ts';
import { createFairSemaphore } from './concurrency/fair-semaphore.ts';
import { type Config, receiverPolicy } from './config.ts';
import { openDatabase } from './db/connection/database.ts';
import { watchWorkers } from './db/workers/watch-workers.ts';
import { createDrain } from './health/drain.ts';
import { createHealthCheck } from './health/health.ts';
import { watchUpstream } from './health/watch-upstream.ts';
import { createApiMeasures, createWorkerMeasures } from './holders/measures.ts';
import { createStoredBytes } from './holders/stored-bytes.ts';
import type { Deps } from './http/ports.ts';
import { createModelList } from './litellm/model-list.ts';
import { createModelPrices } from './litellm/model-prices.ts';
import { createTeamRestoration } from './litellm/restore-team.ts';
import { createTeamRegistration } from './litellm/team-registration.ts';
import type { Log } from './log.ts';
import { createMetrics } from './metrics/metrics.ts';
import { watchDependencies } from './metrics/watch-dependencies.ts';
import { watchConnections, watchInstallation, watchLedger } from './metrics/watch-installation.ts';
import { createOidcClient } from './oidc/oidc-client.ts';
import { createCallEvents } from './redis/call-events.ts';
import { createCancellations } from './redis/cancellations.ts';
import { createChangePublisher, subscribeToChanges } from './redis/change-channel.ts';
import { openRedis } from './redis/connection.ts';
import { createRateLimits } from './redis/limits/rate-limits.ts';
import { createLostStreams } from './redis/lost-streams.ts';
import { createPubSub } from './redis/pubsub.ts';
import { watchRedis } from './redis/watch-redis.ts';
import { createChangeFeed } from './services/changes/change-feed.ts';
import { createCredentialWatch } from './services/changes/credential-watch.ts';
import { createKeyCache } from './services/keys/key-cache.ts';
import { createKeyUses } from './services/keys/key-uses.ts';
import { alwaysAvailable } from './temporal/commands/availability.ts';
import { createDeliveries } from './temporal/commands/deliveries.ts';
import type { NewRunOptions } from './temporal/commands/job-workflow.ts';
import { createJobs } from './temporal/commands/jobs.ts';
import { listRunning, stateOfWorkflow } from './temporal/commands/workflow-state.ts';
import { openTemporal } from './temporal/connection/open-temporal.ts';
import { watchTemporal } from './temporal/connection/watch-temporal.ts';
import { openTracing } from './tracing/open-tracing.ts';
import { createUpstreamClient } from './upstream/client.ts';
import { RefusedFields } from './upstream/refused-fields.ts';
import { createWebhookSender } from './webhook-delivery/webhook-sender.ts';

/** What both api and worker use. */
type Base = Omit<
  Deps,
  | 'redisHealth'
  | 'rateLimits'
  | 'outputLimits'
  | 'passwords'
  | 'oidc'
  | 'measures'
  | 'callSubscriptions'
  | 'changeFeed'
  | 'credentialWatch'
  | 'workerWatch'
  | 'upstreamWatch'
  | 'lostStreams'
  | 'health'
  | 'readiness'
  | 'figures'
  | 'jobs'
  | 'keyUses'
  | 'keyCache'
  | 'retractions'
  | 'modelList'
>;

/** What is opened in order and closed in reverse order. */
export interface Opened<T> {
  deps: T;
  close(): Promise<void>;
}

/** A client gets its response within 3 s (`spec 1.8`). A worker may wait longer, to record work that has been paid for. */
const databaseSilenceMs = { api: 2_000, worker: 10_000 };

/** A worker that waits for a locked row releases its connection after this time and retries, because others need the connection. */
const lockTimeoutMs = { api: undefined, worker: 1_000 };

/** However many consoles are open, each figure is read no more often. */
const figuresCachedMs = 2_000;

/** Jobs of one team settle one after the other, because they lock its account. Most connections stay free for other teams. */
const settlingAtOnce = ({ DATABASE_POOL_SIZE }: Config) => Math.ceil(DATABASE_POOL_SIZE / 4);

/** The id is equal for all processes with the same MASTER_KEY: these share their limits, and other installations may use the same Redis. */
const installationOf = (secrets: Secrets): string => secrets.lookupHash('installation').toString('hex', 0, 8);

const newJobOptions = (config: Config): Omit<NewRunOptions, 'taskQueue'> => ({
  idle: { jobMs: config.JOB_IDLE_TIMEOUT, taskJobMs: config.TASK_JOB_IDLE },
  version: config.JOB_VERSION,
});

async function openBase(
  config: Config,
  log: Log,
  process: 'api' | 'worker',
  closing: AsyncDisposableStack,
): Promise<Base> {
  // Closed last, so that what ends meanwhile is exported.
  const tracing = await openTracing(config, process, log);
  if (tracing) closing.defer(() => tracing.close());
  const database = await openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    stallTimeoutMs: databaseSilenceMs[process],
    lockTimeoutMs: lockTimeoutMs[process],
  });
  closing.defer(() => database.close());
  const redis = openRedis(config.REDIS_URL, log);
  closing.defer(() => redis.close());
  const pubsub = createPubSub(redis);
  const temporal = openTemporal(config, log);
  closing.defer(() => temporal.close());
  const deliveries = createDeliveries({
    database,
    temporal,
    log,
    delaysMs: config.WEBHOOK_RETRY_DELAYS,
    perMinute: config.WEBHOOK_DELIVERIES_PER_MINUTE,
  });
  closing.defer(() => deliveries.close());
  const registration = createTeamRegistration(config, log);
  closing.defer(() => registration.close());
  const metrics = createMetrics(process);
  watchConnections(metrics.registry, database);
  watchInstallation(metrics.registry, database);
  const secrets = createSecrets(config.MASTER_KEY, config.MASTER_KEY_PREVIOUS);
  const changes = createChangePublisher(redis.commands, installationOf(secrets));
  closing.defer(() => changes.close());
  return {
    config,
    log,
    metrics,
    tracing,
    secrets,
    database,
    redis,
    pubsub,
    callEvents: createCallEvents(redis.commands, pubsub),
    changes,
    queuedCalls: createQueuedCalls(
      { commands: redis.commands, channels: pubsub },
      secrets,
      installationOf(secrets),
      log,
    ),
    temporal,
    registration,
    deliveries,
    storedBytes: createStoredBytes(config.STORED_BYTES_PER_DAY),
    drain: createDrain(metrics),
  };
}

/** The upstream is asked at once, so that the log of a start says what is wrong with its settings. */
function openUpstream(config: Config, log: Log, closing: AsyncDisposableStack) {
  const upstream = createUpstreamClient({
    baseUrl: config.UPSTREAM_BASE_URL,
    timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1_000,
  });
  closing.defer(() => upstream.close());
  const upstreamWatch = watchUpstream(upstream, config.UPSTREAM_MASTER_KEY, log);
  upstreamWatch.state();
  return { upstream, upstreamWatch };
}

export async function openDeps(config: Config, log: Log): Promise<Opened<Deps>> {
  const closing = new AsyncDisposableStack();
  const base = await openBase(config, log, 'api', closing);
  const redisHealth = await watchRedis(base.redis, log);
  closing.defer(() => redisHealth.close());
  const rateLimits = createRateLimits(base.redis, redisHealth, installationOf(base.secrets));
  closing.defer(() => rateLimits.close());
  const passwords = createPasswords(config.BCRYPT_COST);
  const callSubscriptions = createCallSubscriptions(base.database, base.callEvents, redisHealth, log);
  closing.defer(() => callSubscriptions.close());
  const changeFeed = createChangeFeed(subscribeToChanges(base.pubsub, installationOf(base.secrets)), redisHealth);
  closing.defer(() => changeFeed.close());
  const credentialWatch = createCredentialWatch(base.database, config.CONSOLE_IDLE_TIMEOUT / 1_000, log);
  closing.defer(() => credentialWatch.close());
  const workerWatch = await watchWorkers(base.database, base.temporal.taskQueue);
  closing.defer(() => workerWatch.close());
  const { upstream, upstreamWatch } = openUpstream(config, log, closing);
  const { health, readiness } = createHealthCheck({ ...base, redisHealth, workerWatch });
  watchDependencies(base.metrics.registry, { health, upstreamWatch });
  const temporalWatch = watchTemporal(base.temporal);
  closing.defer(() => temporalWatch.close());
  const jobs = createJobs(base, { temporal: temporalWatch, workers: workerWatch }, newJobOptions(config));
  const retractions = createRetractions(base);
  closing.defer(() => retractions.close());
  const keyUses = createKeyUses(base.database, log);
  closing.defer(() => keyUses.close());
  return {
    deps: {
      ...base,
      redisHealth,
      lostStreams: createLostStreams(base.redis.commands, base.pubsub),
      rateLimits,
      outputLimits: new Map(),
      passwords,
      oidc: createOidcClient(config, log),
      measures: createApiMeasures(config),
      callSubscriptions,
      changeFeed,
      credentialWatch,
      workerWatch,
      upstreamWatch,
      health,
      readiness,
      figures: cachedByKey(figuresCachedMs),
      jobs,
      keyUses,
      keyCache: createKeyCache(),
      retractions,
      modelList: createModelList(base.database, upstream, config.UPSTREAM_MASTER_KEY, log),
    },
    close: () => closing.disposeAsync(),
  };
}

export async function openWorkerDeps(config: Config, log: Log): Promise<Opened<Base & ActivityDeps>> {
  const closing = new AsyncDisposableStack();
  const base = await openBase(config, log, 'worker', closing);
  watchLedger(base.metrics.registry, base.database);
  const { upstream, upstreamWatch } = openUpstream(config, log, closing);
  const modelPrice = createModelPrices(upstream, config.UPSTREAM_MASTER_KEY, log);
  const webhooks = createWebhookSender(receiverPolicy(config));
  const jobs = createJobs(base, alwaysAvailable, newJobOptions(config));
  const cancellations = createCancellations(base.redis.commands, base.pubsub);
  const redisHealth = await watchRedis(base.redis, log);
  closing.defer(() => redisHealth.close());
  const stopRequests = createStopRequests(base.database, base.pubsub, redisHealth, log);
  closing.defer(() => stopRequests.close());
  const speculativeStarts = config.SPECULATIVE_START ? createSpeculativeStarts(base.metrics) : noSpeculativeStarts;
  const settlementSemaphore = createFairSemaphore({ perKey: settlingAtOnce(config) });
  return {
    deps: {
      ...base,
      cancellations,
      refusedFields: new RefusedFields(),
      stopRequests,
      speculativeStarts,
      upstream,
      restoreTeam: createTeamRestoration(base),
      modelPrice,
      webhooks,
      jobs,
      workflows: {
        listRunning: (workflowIds) => listRunning(base.temporal, workflowIds),
        stateOf: (workflowId) => stateOfWorkflow(base.temporal, workflowId),
      },
      dependencies: () => ({ redis: redisHealth.isUp() ? 'up' : 'down', upstream: upstreamWatch.state() }),
      measures: createWorkerMeasures(config),
      settlementSemaphore,
    },
    close: () => closing.disposeAsync(),
  };
}
