import type { RedisConnections } from './redis.ts';

/** Asked on a timer: a frozen Redis reports no error, it only stops to answer. */
export interface RedisHealth {
  isUp(): boolean;
  /** Milliseconds since it went away; 0 while it is up. */
  awayMs(): number;
  close(): void;
}

const intervalMs = 1_000;

export function watchRedis({ commands }: RedisConnections): RedisHealth {
  let awaySince: number | undefined;
  const ask = async () => {
    try {
      await commands.ping();
      awaySince = undefined;
    } catch {
      awaySince ??= Date.now();
    }
  };
  const timer = setInterval(ask, intervalMs);
  timer.unref();
  return {
    isUp: () => awaySince === undefined,
    awayMs: () => (awaySince === undefined ? 0 : Date.now() - awaySince),
    close: () => clearInterval(timer),
  };
}
