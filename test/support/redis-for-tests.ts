import { once } from 'node:events';
import { createLog } from '../../src/log.ts';
import { openRedis, type RedisConnections } from '../../src/redis/connection.ts';
import { services } from './services.ts';

/** Functions that a test adds are called after it, the last first. */
export function closedAfterEach(): (() => unknown)[] {
  const closing: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  return closing;
}

/** The connections that a process opens, once they are ready. */
export async function openReadyRedis(closing: (() => unknown)[], url = services.redisUrl): Promise<RedisConnections> {
  const redis = openRedis(url, createLog('silent', 'test'));
  closing.push(redis.close);
  const { commands, subscriber } = redis;
  await Promise.all([commands, subscriber].map((one) => one.status === 'ready' || once(one, 'ready')));
  return redis;
}
