import { once } from 'node:events';
import { poll } from '../concurrency/poll.ts';
import type { Log } from '../log.ts';
import type { RedisConnections } from './connection.ts';

/**
 * The result of a write check once a second. A check must use what tokens and limits need: a frozen Redis reports no error, it
 * only stops responding; a full one, or a replica, responds but refuses writes; and a user may lack scripts or channels.
 */
export interface RedisHealth {
  isUp(): boolean;
  /** Milliseconds since the first failed check; 0 while it is up. */
  downMs(): number;
  close(): void;
}

const checkMs = 1_000;

const checkKey = { name: 'job-gateway:write-check', expiresMs: 5_000 };

const writeCheckScript = `
redis.call('set', KEYS[1], '1', 'PX', ARGV[1])
redis.call('publish', KEYS[1], '1')`;

/** Resolves after the first check, so that a process that starts without Redis never reports it as up. */
export async function watchRedis({ commands, isResponsive }: RedisConnections, log: Log): Promise<RedisHealth> {
  let downSince: number | undefined;
  const downMs = () => (downSince === undefined ? 0 : Date.now() - downSince);
  const check = async () => {
    const startedAt = Date.now();
    try {
      await commands.eval(writeCheckScript, 1, checkKey.name, checkKey.expiresMs);
      if (downSince !== undefined) log.info({ down_ms: downMs() }, 'redis: write check succeeded');
      downSince = undefined;
    } catch (error) {
      const afterMs = Date.now() - startedAt;
      if (downSince === undefined) log.warn({ err: error, after_ms: afterMs }, 'redis: write check failed');
      downSince ??= Date.now();
    }
  };
  if (commands.status !== 'ready')
    await once(commands, 'ready', { signal: AbortSignal.timeout(checkMs) }).catch(() => undefined);
  const polling = poll(check, checkMs);
  await polling.first;
  return { isUp: () => downSince === undefined && isResponsive(), downMs, close: () => void polling.close() };
}
