import pg from 'pg';

export interface ConnectionOptions {
  url: string;
  /** What PostgreSQL shows of the connections. Default: the same for all processes. */
  applicationName?: string;
  /** After this time without a response to any request the server is considered unavailable: a frozen server must not freeze this process. */
  stallTimeoutMs: number;
  /** The longest wait for a free connection or a lock, while other requests get a response. Default 20 s. */
  maxWaitMs?: number;
  /** The longest wait for a lock, where the work can be retried and would hold a connection that others need. Default: `maxWaitMs`. */
  lockTimeoutMs?: number;
}

/**
 * Otherwise a statement that waits for a lock does not notice that its client has disconnected, and holds its connection while
 * clients open others.
 */
const checkClient = `set client_connection_check_interval = '1s'`;

/**
 * A role or a database may have other settings: the driver reads no other form of dates, and a stricter isolation aborts a
 * transaction that waited for a team's account instead of letting it read the new balance.
 */
const sessionSettings = `set datestyle = 'ISO'; set default_transaction_isolation = 'read committed'`;

/** A frozen server may serve open connections, but accepts no new ones. */
const clientWithTimeout = (stallTimeoutMs: number) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis: stallTimeoutMs });
    }
  };

/** What the connections of every pool have in common. */
export const poolConfig = ({
  url,
  applicationName = 'job-gateway',
  stallTimeoutMs,
  maxWaitMs = 20_000,
  lockTimeoutMs,
}: ConnectionOptions): pg.PoolConfig => ({
  keepAlive: true,
  application_name: applicationName,
  Client: clientWithTimeout(stallTimeoutMs),
  connectionString: url,
  connectionTimeoutMillis: maxWaitMs,
  query_timeout: maxWaitMs,
  async onConnect(client) {
    await client.query(sessionSettings);
    // Not every operating system supports it.
    await client.query(checkClient).catch(() => undefined);
    if (lockTimeoutMs) await client.query(`set lock_timeout = ${lockTimeoutMs}`);
  },
});
