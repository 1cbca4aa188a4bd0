import pg, { type Pool, type PoolClient } from 'pg';
import { poll } from '../../concurrency/poll.ts';
import type { StallDetector } from '../../concurrency/stall-detector.ts';
import { isOnStandby } from './failures.ts';

/** The error has the driver's form of a message: the ORM wraps every error in its own, with its text. */
const stalled = () => new Error('timeout: the server responds to no request');

/** How Kysely begins a transaction, with or without an isolation level, and how it rolls one back. */
const ofKysely = /^(begin|start transaction [a-z ]+|rollback)$/;

/** A connection, with what the driver's types leave out. */
type Connection = PoolClient & { processID: number; connection: { stream: { destroy(): void } } };

/** The queries of one connection that have no response yet. */
interface PendingQueries {
  count: number;
  /** The time since which the oldest one waits. */
  since: number;
  /** How often the server was found idle on the connection since then. */
  foundIdle: number;
}

/** A request that fails while it waits for a connection still gets one later, which is returned to the pool. */
function watchConnecting(pool: Pool, stallDetector: StallDetector): void {
  const connect = pool.connect.bind(pool);
  const connecting = (use?: Parameters<typeof connect>[0]) => {
    if (use) return connect(use);
    const connection = connect();
    return stallDetector.waitFor(connection, () => {
      connection.then((late) => late.release()).catch(() => undefined);
      return stalled();
    });
  };
  pool.connect = connecting as Pool['connect'];
}

/**
 * A connection that breaks, or whose query stalls, is closed, and the server rolls its transaction back. After a failed BEGIN or
 * ROLLBACK, Kysely does not return the connection to the pool: that is done here.
 */
function watchQueries(connection: Connection, stallDetector: StallDetector, pending: PendingQueries): void {
  const send = connection.query.bind(connection) as (...query: unknown[]) => unknown;
  const query = (...args: unknown[]) => {
    const response = send(...args);
    if (!(response instanceof Promise)) return response;
    if (pending.count++ === 0) Object.assign(pending, { since: Date.now(), foundIdle: 0 });
    const watched = stallDetector.watch(response, stalled);
    watched.catch((error: unknown) => close(args[0], error));
    response
      .catch(() => undefined)
      .finally(() => Object.assign(pending, { count: pending.count - 1, since: Date.now(), foundIdle: 0 }));
    return watched;
  };
  const close = (text: unknown, error: unknown) => {
    // An error that the server reports leaves the connection usable, unless it is to a standby and would stay there.
    if (!(error instanceof pg.DatabaseError) || isOnStandby(error))
      void (connection as unknown as pg.Client).end().catch(() => undefined);
    if (typeof text === 'string' && ofKysely.test(text)) connection.release(true);
  };
  connection.query = query as PoolClient['query'];
}

/** Finds those of the server's processes with these ids that wait for their client. */
export type FindIdle = (processIds: readonly number[]) => Promise<ReadonlySet<number>>;

/** A query that takes longer may be waiting for a lock, so the server's own view is read. */
const suspectAfterMs = 3_000;
const checkEveryMs = 1_000;
/** Between two checks the response may have been on its way. */
const idleTwice = 2;

export interface WatchedPools {
  /**
   * Queries on this pool wait, for a connection and for the response, for as long as the server responds to any query: a burst is
   * slow, a frozen server is an outage. Queries with a callback wait as the pool's options say.
   */
  watch(pool: Pool): void;
  close(): void;
}

/**
 * Watches pools. A single connection that is silently dead is found by the server's own view: a process that waits for its client,
 * while the client waits for a response, has not received the query, or its response was lost. The connection is destroyed.
 */
export function watchPools(stallDetector: StallDetector, findIdle: FindIdle): WatchedPools {
  const pendingByConnection = new Map<Connection, PendingQueries>();

  async function destroyDead(): Promise<void> {
    const suspects = [...pendingByConnection].filter(
      ([, { count, since }]) => count > 0 && Date.now() - since > suspectAfterMs,
    );
    if (suspects.length === 0) return;
    const idle = await findIdle(suspects.map(([{ processID }]) => processID)).catch(() => new Set<number>());
    for (const [connection, pending] of suspects) {
      if (!idle.has(connection.processID) || pending.count === 0) continue;
      pending.foundIdle += 1;
      if (pending.foundIdle >= idleTwice) connection.connection.stream.destroy();
    }
  }
  const polling = poll(destroyDead, checkEveryMs);

  return {
    watch(pool) {
      watchConnecting(pool, stallDetector);
      pool.on('connect', (opened) => {
        const connection = opened as Connection;
        const pending: PendingQueries = { count: 0, since: 0, foundIdle: 0 };
        pendingByConnection.set(connection, pending);
        watchQueries(connection, stallDetector, pending);
      });
      pool.on('remove', (removed) => void pendingByConnection.delete(removed as Connection));
    },
    close: () => void polling.close(),
  };
}
