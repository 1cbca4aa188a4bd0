import { once } from 'node:events';
import type { Log } from '../log.ts';
import type { RedisConnections } from '../redis/connection.ts';

/**
 * Checked by what tokens and limits need, on a timer: a frozen Redis reports no error, it only stops answering; a full one, or a
 * replica, answers but takes no writes; and a user may have neither scripts nor channels.
 */
export interface RedisHealth {
  isUp(): boolean;
  /** Milliseconds since it went away; 0 while it is up. */
  downMs(): number;
  close(): void;
}

const intervalMs = 1_000;

const written = { key: 'job-gateway:lives', forMs: 5_000 };

const livesScript = `
redis.call('set', KEYS[1], '1', 'PX', ARGV[1])
redis.call('publish', KEYS[1], '1')`;

/** Resolves when it is known for the first time, so that a process that starts without Redis never says that it is there. */
export async function watchRedis({ commands }: RedisConnections, log: Log): Promise<RedisHealth> {
  let awaySince: number | undefined;
  const ask = async () => {
    try {
      await commands.eval(livesScript, 1, written.key, written.forMs);
      if (awaySince !== undefined) log.info('redis takes what it is told');
      awaySince = undefined;
    } catch (error) {
      if (awaySince === undefined) log.warn({ err: error }, 'redis takes nothing');
      awaySince ??= Date.now();
    }
  };
  if (commands.status !== 'ready')
    await once(commands, 'ready', { signal: AbortSignal.timeout(intervalMs) }).catch(() => undefined);
  await ask();
  const timer = setInterval(ask, intervalMs);
  timer.unref();
  return {
    isUp: () => awaySince === undefined,
    downMs: () => (awaySince === undefined ? 0 : Date.now() - awaySince),
    close: () => clearInterval(timer),
  };
}
