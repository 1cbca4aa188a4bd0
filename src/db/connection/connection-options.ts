import pg from 'pg';

export interface ConnectionOptions {
  url: string;
  /** After this long without an answer to any request the server counts as away. A frozen server must not freeze this process. */
  silenceMs: number;
  /** Longest wait for a free connection or a lock, while other requests are answered. Default 20 s. */
  longestWaitMs?: number;
  /** Longest wait for a lock, for work that can be tried again and would keep a connection from others. Default: `longestWaitMs`. */
  longestLockMs?: number;
}

/**
 * Otherwise a statement that waits for a lock does not notice that its client has left, and keeps its connection while clients
 * open others.
 */
const leavesWithTheClient = `set client_connection_check_interval = '1s'`;

/**
 * What a role or a database may have otherwise: the driver reads no other form of dates, and a stricter isolation undoes what
 * waits for a team's account instead of letting it see what it waited for.
 */
const ownSettings = `set datestyle = 'ISO'; set default_transaction_isolation = 'read committed'`;

/** A frozen server may go on serving open connections, but accepts no new ones. */
const connectsWithin = (silenceMs: number) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis: silenceMs });
    }
  };

/** What the connections of every pool have in common. */
export const connectionOf = ({
  url,
  silenceMs,
  longestWaitMs = 20_000,
  longestLockMs,
}: ConnectionOptions): pg.PoolConfig => ({
  keepAlive: true,
  application_name: 'job-gateway',
  Client: connectsWithin(silenceMs),
  connectionString: url,
  connectionTimeoutMillis: longestWaitMs,
  query_timeout: longestWaitMs,
  async onConnect(one) {
    await one.query(ownSettings);
    // Not every operating system supports it.
    await one.query(leavesWithTheClient).catch(() => undefined);
    if (longestLockMs) await one.query(`set lock_timeout = ${longestLockMs}`);
  },
});
