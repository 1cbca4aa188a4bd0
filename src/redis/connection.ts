import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../log.ts';

/** Reports a message that was dropped; `error` is what its listener threw. */
export type ReportDropped = (source: string, error?: unknown) => void;

/**
 * One connection for commands, one for subscriptions. Redis carries tokens, notifications and limits, never the only copy of
 * anything, so a command fails after 300 ms: a frozen Redis must not block requests.
 */
export interface RedisConnections {
  commands: Redis;
  subscriber: Redis;
  /** For what was read from Redis and does not have the form in which this service writes it. */
  reportDropped: ReportDropped;
  close(): Promise<void>;
}

const commandTimeoutMs = 300;
const longestBackoffMs = 1_000;

export function openRedis(url: string, log: Log): RedisConnections {
  const open = (role: string, options: RedisOptions = {}) => {
    const redis = new Redis(url, {
      ...options,
      enableOfflineQueue: false,
      commandTimeout: commandTimeoutMs,
      maxRetriesPerRequest: 1,
      connectTimeout: 2_000,
      // After a failover the connection may still be to the former master, which refuses writes and never closes it.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
      retryStrategy: (attempt) => Math.min(50 * attempt, longestBackoffMs),
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
    return redis;
  };
  const commands = open('commands');
  // `pubsub.ts` subscribes each new connection itself.
  const subscriber = open('subscriber', { autoResubscribe: false, autoResendUnfulfilledCommands: false });
  return {
    commands,
    subscriber,
    reportDropped: createDropReport(log),
    async close() {
      commands.disconnect();
      subscriber.disconnect();
    },
  };
}

/** At most one log line in this time, however many messages are dropped: a flood of messages must not flood the log. */
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
