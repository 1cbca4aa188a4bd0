import type { Log } from '../log.ts';
import { poll } from './poll.ts';
import { withTimeout } from './with-timeout.ts';

/** A connection that is checked by itself: one that is silently dead reports no error, and its requests only time out. */
export interface SupervisedConnection {
  /** The name in the log, such as `redis subscriber`. */
  name: string;
  /** A request on this connection that the server answers at once. */
  check(): Promise<unknown>;
  /** Closes the connection and opens another one. Rejects where the server accepts none: then the connection stays. */
  replace(): Promise<unknown>;
}

export interface Supervision {
  /** False: no check has got its response for two seconds. */
  isResponsive(): boolean;
  close(): void;
}

const checkEveryMs = 1_000;
const checkTimeoutMs = 1_000;
const replaceTimeoutMs = 2_000;
/** One late response on a busy machine is no silence. */
const unresponsiveAfterMs = 2_000;
/** With the checks before it and the new connection after it, a dead connection is replaced within 8 s. */
const replaceAfterMs = 3_000;

/** Checks a connection once a second, and replaces one that has not responded for three seconds. */
export function supervise({ name, check, replace }: SupervisedConnection, log: Log): Supervision {
  let silentSince: number | undefined;
  let replacedAt = 0;

  async function checkOnce(): Promise<void> {
    const startedAt = Date.now();
    try {
      await withTimeout(check(), checkTimeoutMs);
      silentSince = undefined;
    } catch {
      silentSince ??= startedAt;
    }
    // A new connection gets as long as the one before.
    if (silentSince === undefined || Date.now() - Math.max(silentSince, replacedAt) < replaceAfterMs) return;
    const silentMs = Date.now() - silentSince;
    const replaced = await withTimeout(replace(), replaceTimeoutMs).then(
      () => true,
      () => false,
    );
    if (replaced) log.warn({ connection: name, silent_ms: silentMs }, 'connection: replaced');
    replacedAt = Date.now();
  }

  const polling = poll(checkOnce, checkEveryMs);
  return {
    isResponsive: () => silentSince === undefined || Date.now() - silentSince < unresponsiveAfterMs,
    close: () => void polling.close(),
  };
}
