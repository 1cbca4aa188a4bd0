import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Database } from '../db/connection/database.ts';
import { isWritable } from '../db/connection/is-writable.ts';
import type { RedisConnections } from '../redis/connection.ts';
import type { Temporal } from '../temporal/connection/open-temporal.ts';

/** What one request to a dependency has shown. */
export interface Measurement {
  status: 'up' | 'down';
  /** Null: it did not answer. */
  latency_ms: number | null;
}

const timeoutMs = 1_000;

async function measure(check: () => Promise<boolean>): Promise<Measurement> {
  const startedAt = performance.now();
  const isUp = await withTimeout(check(), timeoutMs).catch(() => undefined);
  const latency = Math.round((performance.now() - startedAt) * 10) / 10;
  return { status: isUp ? 'up' : 'down', latency_ms: isUp === undefined ? null : latency };
}

export interface MeasuredDeps {
  database: Database;
  redis: Pick<RedisConnections, 'commands'>;
  temporal: Pick<Temporal, 'isReachable'>;
}

/** Sends each dependency one request now. Never rejects. */
export async function measureDependencies({ database, redis, temporal }: MeasuredDeps) {
  const [postgres, ofRedis, ofTemporal] = await Promise.all([
    measure(async () => (await isWritable(database)) && !(await database.isFull())),
    measure(async () => (await redis.commands.ping()) === 'PONG'),
    measure(() => temporal.isReachable(timeoutMs)),
  ]);
  return { postgres, redis: ofRedis, temporal: ofTemporal };
}
