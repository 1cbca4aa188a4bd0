import { Redis, type RedisOptions } from 'ioredis';
import { type Supervision, supervise } from '../concurrency/supervise.ts';
import type { Log } from '../log.ts';
import { createSubscriberCheck } from './check-subscriber.ts';

/** Reports a message that was dropped; `error` is what its listener threw. */
export type ReportDropped = (source: string, error?: unknown) => void;

/**
 * One connection for commands, one for subscriptions. Redis carries tokens, notifications and limits, never the only copy of
 * anything, so a command fails after 300 ms: a frozen Redis must not block requests. Each connection is checked by itself, and
 * replaced when it is silent.
 */
export interface RedisConnections {
  commands: Redis;
  subscriber: Redis;
  /** Opens one more connection, for work that must not wait behind other commands. Closed with the others. */
  open(role: string, options?: RedisOptions): Redis;
  /** Every connection responds. */
  isResponsive(): boolean;
  /** Reports what was read from Redis and does not have the form in which this service writes it. */
  reportDropped: ReportDropped;
  close(): Promise<void>;
}

const pinging = (redis: Redis) => (): Promise<unknown> => redis.ping();

const commandTimeoutMs = 300;
const maxBackoffMs = 1_000;

export function openRedis(url: string, log: Log): RedisConnections {
  const opened: { redis: Redis; supervision: Supervision }[] = [];
  const open = (role: string, options: RedisOptions = {}, newCheck = pinging) => {
    const redis = new Redis(url, {
      ...options,
      enableOfflineQueue: false,
      commandTimeout: commandTimeoutMs,
      maxRetriesPerRequest: 1,
      connectTimeout: 2_000,
      // A connection that was lost before it was closed would keep a process for 2 s.
      disconnectTimeout: commandTimeoutMs,
      // After a failover the connection may still be to the former master, which refuses writes and never closes it.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
      retryStrategy: (attempt) => Math.min(50 * attempt, maxBackoffMs),
      connectionName: `job-gateway-${role}`,
    });
    let isFailing = false;
    redis.on('error', (error) => {
      if (!isFailing) log.warn({ err: error, role }, 'redis: connection failed');
      isFailing = true;
    });
    redis.on('ready', () => {
      if (isFailing) log.info({ role }, 'redis: connection restored');
      isFailing = false;
    });
    const connection = { name: `redis ${role}`, check: newCheck(redis), replace: () => reconnect(redis) };
    opened.push({ redis, supervision: supervise(connection, log) });
    return redis;
  };
  const commands = open('commands');
  // `pubsub.ts` subscribes each new connection itself.
  const subscriber = open('subscriber', { autoResubscribe: false, autoResendUnfulfilledCommands: false }, (redis) =>
    createSubscriberCheck(commands, redis),
  );
  return {
    commands,
    subscriber,
    open: (role, options) => open(role, options),
    isResponsive: () => opened.every(({ supervision }) => supervision.isResponsive()),
    reportDropped: createDropReport(log),
    async close() {
      await Promise.all(
        opened.map(({ redis, supervision }) => {
          supervision.close();
          return disconnect(redis);
        }),
      );
    },
  };
}

/** Resolves when an open connection is closed: a server that does not answer has 300 ms for it. */
async function disconnect(redis: Redis): Promise<void> {
  // The driver would wait 300 ms for the end of a connection that has ended.
  if (redis.status === 'end') return;
  const closed = redis.status === 'ready' && new Promise((resolve) => redis.once('end', resolve));
  redis.disconnect();
  await closed;
}

/** Closes a connection that the driver takes to be open; the driver opens another one. */
async function reconnect(redis: Redis): Promise<void> {
  if (redis.status !== 'ready') throw new Error('the connection is being opened');
  redis.disconnect(true);
}

/** A log line is written once in this time, however many messages are dropped: a flood of messages must not flood the log. */
const logEveryMs = 10_000;

/** Logs the first dropped message at once, and later ones together: each line names one source and counts those since the last line. */
export function createDropReport(log: Log, now: () => number = Date.now): ReportDropped {
  let dropped = 0;
  let nextAt = Number.NEGATIVE_INFINITY;
  return (source, error) => {
    dropped += 1;
    if (now() < nextAt) return;
    nextAt = now() + logEveryMs;
    log.warn({ channel: source, dropped, ...(error !== undefined && { err: error }) }, 'redis: message dropped');
    dropped = 0;
  };
}
