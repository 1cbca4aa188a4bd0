import pg, { type Pool, type PoolClient } from 'pg';
import type { StallDetector } from '../../liveness/stall-detector.ts';
import { isOnStandby } from './failures.ts';

/** In the driver's form of a message: the ORM wraps every error in its own, with its text. */
const away = () => new Error('timeout: the server answers nobody');

/** How Kysely begins a transaction, with or without an isolation level, and how it undoes one. */
const ofKysely = /^(begin|start transaction [a-z ]+|rollback)$/;

/** A request that is given up while it waits for a connection still gets one later, which is handed back. */
function connectPatiently(pool: Pool, stallDetector: StallDetector): void {
  const connect = pool.connect.bind(pool);
  const connecting = (use?: Parameters<typeof connect>[0]) => {
    if (use) return connect(use);
    const connection = connect();
    return stallDetector.waitFor(connection, () => {
      connection.then((late) => late.release()).catch(() => undefined);
      return away();
    });
  };
  pool.connect = connecting as Pool['connect'];
}

/**
 * A connection that breaks, or whose answer is given up, is closed, and the server undoes its transaction. After a failed BEGIN
 * or ROLLBACK, Kysely does not give the connection back to the pool: that is done here.
 */
function askPatiently(connection: PoolClient, stallDetector: StallDetector): void {
  const ask = connection.query.bind(connection) as (...query: unknown[]) => unknown;
  const asking = (...query: unknown[]) => {
    const answer = ask(...query);
    if (!(answer instanceof Promise)) return answer;
    const heard = stallDetector.watch(answer, away);
    heard.catch((error: unknown) => close(query[0], error));
    return heard;
  };
  const close = (text: unknown, error: unknown) => {
    // An error that the server reports leaves the connection good, unless it is to a standby and would stay there.
    if (!(error instanceof pg.DatabaseError) || isOnStandby(error))
      void (connection as unknown as pg.Client).end().catch(() => undefined);
    if (typeof text === 'string' && ofKysely.test(text)) connection.release(true);
  };
  connection.query = asking as PoolClient['query'];
}

/**
 * Queries on this pool wait, for a connection and for the answer, for as long as the server answers any query: a burst is slow,
 * a frozen server is an outage. Queries with a callback wait as the pool's options say.
 */
export function makeStallAware(pool: Pool, stallDetector: StallDetector): void {
  connectPatiently(pool, stallDetector);
  pool.on('connect', (connection) => askPatiently(connection, stallDetector));
}
