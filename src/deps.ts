import type { ActivityDeps } from '../activities/deps.ts';
import { createHeadStarts } from '../activities/head-starts.ts';
import { createKnownKeys, type KnownKeys } from './auth/known-keys.ts';
import { createPasswords, type Passwords } from './auth/passwords.ts';
import { createSecrets, type Secrets } from './auth/secrets.ts';
import { createFairSemaphore } from './concurrency/fair-semaphore.ts';
import { type Config, receiverPolicy } from './config.ts';
import { type Database, openDatabase } from './db/database.ts';
import { type Health, watchHealth } from './health.ts';
import { createQuotas, type Quotas } from './http/quotas.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { watchDepths } from './metrics/watch-depths.ts';
import { createCancellations } from './redis/cancellations.ts';
import { type Channels, createChannels } from './redis/channels.ts';
import { createFrameChannel, type FrameChannel } from './redis/frames.ts';
import { type RedisHealth, watchRedis } from './redis/health.ts';
import { createRateLimits, type RateLimits } from './redis/limits/rate-limits.ts';
import { type Announcements, createAnnouncements, createNextSignals } from './redis/next-signals.ts';
import { openRedis, type RedisConnections } from './redis/redis.ts';
import { type CallWatch, createCallWatch } from './relay/watch-calls.ts';
import { openTemporal, type Temporal } from './temporal/client.ts';
import { createDeliveries, type Deliveries } from './temporal/deliveries.ts';
import { createJobs, type Jobs } from './temporal/jobs.ts';
import { watchTemporal } from './temporal/temporal-watch.ts';
import { findTerminatedDeliveries, findTerminatedJobs } from './temporal/terminated-workflows.ts';
import { alwaysAlive } from './temporal/while-alive.ts';
import { type WorkerWatch, watchWorkers } from './temporal/worker-watch.ts';
import { createUpstreamClient } from './upstream/client.ts';
import { createModelPrices } from './upstream/model-prices.ts';
import { createTeamRegistration, type TeamRegistration } from './upstream/team-registration.ts';
import { createWebhookSender } from './webhooks/webhook-sender.ts';
import { createWithdrawals, type Withdrawals } from './withdrawals.ts';

/** What every process has, built in order. */
interface Base {
  config: Config;
  log: Log;
  metrics: Metrics;
  secrets: Secrets;
  database: Database;
  redis: RedisConnections;
  channels: Channels;
  frames: FrameChannel;
  announcements: Announcements;
  temporal: Temporal;
  registration: TeamRegistration;
  deliveries: Deliveries;
}

/** What an HTTP handler may use. */
export interface Deps extends Base {
  redisHealth: RedisHealth;
  rateLimits: RateLimits;
  knownKeys: KnownKeys;
  passwords: Passwords;
  quotas: Quotas;
  callWatch: CallWatch;
  workerWatch: WorkerWatch;
  health: () => Promise<Health>;
  jobs: Jobs;
  withdrawals: Withdrawals;
}

/** What a worker uses. */
export type WorkerDeps = ActivityDeps & Base;

/** Built together, closed in reverse. */
export interface Opened<T> {
  deps: T;
  close(): Promise<void>;
}

/** A client is answered within 3 s (`spec 1.8`); work that was paid for may wait longer for its record. */
const databaseSilenceMs = { api: 2_000, worker: 10_000 };

/** An operator may hold a row for long: a worker retries, instead of holding a connection that others need while it waits. */
const longestLockMs = { api: undefined, worker: 1_000 };

/** The jobs of one team settle one after the other, because they wait for its account: most connections are left to other teams. */
const settlingAtOnce = ({ DATABASE_POOL_SIZE }: Config) => Math.ceil(DATABASE_POOL_SIZE / 4);

/** The same for all processes of one MASTER_KEY: only these share their limits, if others use the same Redis. */
const installationOf = (secrets: Secrets): string => secrets.lookupHash('installation').toString('hex', 0, 8);

async function openBase(
  config: Config,
  log: Log,
  process: 'api' | 'worker',
  closing: AsyncDisposableStack,
): Promise<Base> {
  const database = await openDatabase({
    url: config.DATABASE_URL,
    poolSize: config.DATABASE_POOL_SIZE,
    silenceMs: databaseSilenceMs[process],
    longestLockMs: longestLockMs[process],
  });
  closing.defer(() => database.close());
  const redis = openRedis(config.REDIS_URL, log);
  closing.defer(() => redis.close());
  const channels = createChannels(redis);
  const temporal = openTemporal(config);
  closing.defer(() => temporal.close());
  const deliveries = createDeliveries({ database, temporal, log, delaysMs: config.WEBHOOK_RETRY_DELAYS });
  closing.defer(() => deliveries.close());
  const registration = createTeamRegistration(config, log);
  closing.defer(() => registration.close());
  const metrics = createMetrics();
  watchDepths(metrics.registry, database);
  return {
    config,
    log,
    metrics,
    secrets: createSecrets(config.MASTER_KEY),
    database,
    redis,
    channels,
    frames: createFrameChannel(redis.commands, channels),
    announcements: createAnnouncements(redis.commands),
    temporal,
    registration,
    deliveries,
  };
}

export async function openDeps(config: Config, log: Log): Promise<Opened<Deps>> {
  const closing = new AsyncDisposableStack();
  const base = await openBase(config, log, 'api', closing);
  const redisHealth = await watchRedis(base.redis, log);
  closing.defer(() => redisHealth.close());
  const rateLimits = createRateLimits(base.redis, redisHealth, installationOf(base.secrets));
  closing.defer(() => rateLimits.close());
  const knownKeys = createKnownKeys();
  const passwords = createPasswords(config.BCRYPT_COST);
  const callWatch = createCallWatch(base.database, base.frames, redisHealth, log);
  closing.defer(() => callWatch.close());
  const workerWatch = await watchWorkers(base.database, base.temporal.taskQueue);
  closing.defer(() => workerWatch.close());
  const health = watchHealth({ ...base, redisHealth, workerWatch });
  const server = watchTemporal(base.temporal);
  closing.defer(() => server.close());
  const jobs = createJobs(base, { server, workers: workerWatch }, config.JOB_IDLE_TIMEOUT);
  const withdrawals = createWithdrawals(base.database, base.deliveries, log);
  closing.defer(() => withdrawals.close());
  return {
    deps: {
      ...base,
      redisHealth,
      rateLimits,
      knownKeys,
      passwords,
      quotas: createQuotas(),
      callWatch,
      workerWatch,
      health,
      jobs,
      withdrawals,
    },
    close: () => closing.disposeAsync(),
  };
}

export async function openWorkerDeps(config: Config, log: Log): Promise<Opened<WorkerDeps>> {
  const closing = new AsyncDisposableStack();
  const base = await openBase(config, log, 'worker', closing);
  const upstream = createUpstreamClient({
    baseUrl: config.UPSTREAM_BASE_URL,
    timeoutMs: config.UPSTREAM_TIMEOUT_SECONDS * 1_000,
  });
  closing.defer(() => upstream.close());
  const modelPrice = createModelPrices(upstream, config.UPSTREAM_MASTER_KEY, log);
  const webhooks = createWebhookSender(receiverPolicy(config));
  const jobs = createJobs(base, alwaysAlive, config.JOB_IDLE_TIMEOUT);
  const cancellations = createCancellations(base.redis.commands, base.channels);
  const nextSignals = createNextSignals(base.channels);
  const settlementTurns = createFairSemaphore({ perKey: settlingAtOnce(config) });
  return {
    deps: {
      ...base,
      cancellations,
      nextSignals,
      headStarts: createHeadStarts(),
      upstream,
      modelPrice,
      webhooks,
      jobs,
      terminatedJobs: findTerminatedJobs(base.temporal),
      terminatedDeliveries: findTerminatedDeliveries(base.temporal),
      settlementTurns,
    },
    close: () => closing.disposeAsync(),
  };
}
