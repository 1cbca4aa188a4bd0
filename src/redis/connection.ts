import { Redis, type RedisOptions } from 'ioredis';
import type { Log } from '../log.ts';
import { createDropReport, type ReportDropped } from './dropped-messages.ts';

/**
 * Two connections: one for commands, one that only listens. Redis carries tokens, wake-ups and limits, never the only copy
 * of anything, so a command that does not get through is given up after 300 ms: a frozen Redis must not freeze requests.
 */
export interface RedisConnections {
  commands: Redis;
  subscriber: Redis;
  /** For what was read from Redis and is not what this service writes there. */
  reportDropped: ReportDropped;
  close(): Promise<void>;
}

const commandTimeoutMs = 300;
const longestPauseMs = 1_000;

export function openRedis(url: string, log: Log): RedisConnections {
  const open = (role: string, options: RedisOptions = {}) => {
    const redis = new Redis(url, {
      ...options,
      enableOfflineQueue: false,
      commandTimeout: commandTimeoutMs,
      maxRetriesPerRequest: 1,
      connectTimeout: 2_000,
      // After a failover the connection may still be to the former master, which takes no writes and never closes it.
      reconnectOnError: ({ message }) => message.includes('READONLY'),
      retryStrategy: (times) => Math.min(50 * times, longestPauseMs),
      connectionName: `job-gateway-${role}`,
    });
    let said = false;
    redis.on('error', (error) => {
      if (!said) log.warn({ err: error, role }, 'redis is away');
      said = true;
    });
    redis.on('ready', () => {
      if (said) log.info({ role }, 'redis is back');
      said = false;
    });
    return redis;
  };
  const commands = open('commands');
  // `channels.ts` subscribes each new connection itself.
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
