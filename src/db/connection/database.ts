import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { IsolationLevel, type TransactionOptions } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import pg, { type Pool, type QueryConfig } from 'pg';
import { StallDetector } from '../../concurrency/stall-detector.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { type Statement, statement, type Values } from '../sql/statement.ts';
import { type ConnectionOptions, poolConfig } from './connection-options.ts';
import { asDatabaseOutage, isConflict } from './failures.ts';
import { checkServer, migrate, openOrm } from './orm.ts';
import { queryConfig } from './query-config.ts';
import { openReports, type Reports } from './reports.ts';
import { watchPools } from './stall-aware-pool.ts';
import { watchSpace } from './watch-space.ts';

export interface DatabaseOptions extends ConnectionOptions {
  poolSize: number;
}

/**
 * Three interfaces, for three kinds of work, each with connections of its own. `query` is the hot path: one prepared statement, one
 * round trip. `entities` is management: a fresh EntityManager, and `transaction` when several things change together. `reports`
 * is for reads of many rows.
 */
export interface Database {
  query<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** The same on reserved connections: for health checks, while all other connections may be waiting. */
  reserved<Row extends object>(statement: Statement, values?: Values): Promise<Row[]>;
  /** Whether the server's disk has no space, as of the last seconds. Never rejects. */
  isFull(): Promise<boolean>;
  entities(): SqlEntityManager;
  /** `work` runs again when the server aborted it because of another transaction: its effects outside of `entities` must be idempotent. */
  transaction<T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  /** Reads several times of one snapshot. */
  snapshot<T>(read: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  reports: Reports;
  /** The names of the migrations that were `done` now, and of those `unknown` here: a newer version has done them, and they stay. */
  migrate(): Promise<{ done: string[]; unknown: string[] }>;
  pool: Pool;
  /** The name of all connections of this object, and of no others: PostgreSQL lists them until the process has ended. */
  applicationName: string;
  close(): Promise<void>;
}

/** Management has few requests, and none of them is urgent. */
const managementPoolSize = 5;

/** A new connection plans its statements anew, and again for their first five executions: 60 ms of work for those of a call. */
const idleTimeoutMs = 600_000;

/** A frozen server does not respond to the closing of a connection. */
const closeTimeoutMs = 3_000;

/** There are two, so that one that gets no response delays one query, not all. */
const reservedPoolSize = 2;

/** The server's processes that wait for their client. */
const idleSql = statement(
  'idle_processes',
  `select pid from pg_stat_activity where pid = any (:process_ids::int[]) and state like 'idle%'`,
);
const idleCheckTimeoutMs = 2_000;

const maxTries = 3;

/** The pause grows and differs by process: the other transaction has to end before, or they conflict again. */
const pauseAfterConflict = (tries: number): number => 20 * 2 ** tries * (0.5 + Math.random() / 2);

/** Repeats a statement that the server has rolled back for a conflict with another transaction. */
async function retryConflicts<T>(execute: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await execute();
    } catch (error) {
      if (tries === maxTries || !isConflict(error)) throw asDatabaseOutage(error);
      await pause(pauseAfterConflict(tries));
    }
  }
}

/** One round trip. */
async function execute<Row extends object>(pool: Pool, query: QueryConfig): Promise<Row[]> {
  const connection = await pool.connect();
  try {
    return (await connection.query<Row>(query)).rows;
  } finally {
    connection.release();
  }
}

/** Executes statements: the database, or a transaction. */
export type Queries = Pick<Database, 'query'>;

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const applicationName = `job-gateway ${randomUUID()}`;
  const { stallTimeoutMs } = options;
  // A process that is frozen in a transaction must not hold its locks for all that time.
  const idleInTransactionMs = stallTimeoutMs * 5;
  const connection = poolConfig({ ...options, applicationName });
  const stallDetector = new StallDetector(stallTimeoutMs);
  const pools = watchPools(stallDetector, (processIds) => withTimeout(findIdle(processIds), idleCheckTimeoutMs));
  const findIdle = async (processIds: readonly number[]): Promise<Set<number>> => {
    const rows = await execute<{ pid: number }>(reservedPool, queryConfig(idleSql, { process_ids: processIds }));
    return new Set(rows.map(({ pid }) => pid));
  };
  const onPoolCreated = (opened: Pool) => {
    pools.watch(opened);
    // A broken connection needs no handling: a query on it rejects, and the next query opens another one.
    opened.on('error', () => undefined);
    opened.on('connect', (client) => client.on('error', () => undefined));
  };
  const orm = await openOrm({ url: options.url, connection, max: managementPoolSize, onPoolCreated });
  await checkServer(orm, options.url).catch(async (error: unknown) => {
    await orm.close(true);
    throw error;
  });
  const pooled = { ...connection, idleTimeoutMillis: idleTimeoutMs };
  const reports = await openReports({ url: options.url, connection: pooled, onPoolCreated, idleInTransactionMs });
  const openPool = (max: number): Pool => {
    const opened = new pg.Pool({ ...pooled, max });
    onPoolCreated(opened);
    return opened;
  };
  const pool = openPool(options.poolSize);
  const reservedPool = openPool(reservedPoolSize);

  const createQuery =
    (used: Pool): Database['query'] =>
    <Row extends object>(sql: Statement, values: Values = {}) =>
      retryConflicts(() => execute<Row>(used, queryConfig(sql, values)));

  const inTransaction =
    (isolation?: TransactionOptions) =>
    <T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T> =>
      retryConflicts(() =>
        orm.em.fork().transactional(async (em) => {
          await em.execute(`set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`);
          return work(em as SqlEntityManager);
        }, isolation),
      );

  return {
    pool,
    applicationName,
    query: createQuery(pool),
    reserved: createQuery(reservedPool),
    isFull: watchSpace(reservedPool),
    entities: () => orm.em.fork() as SqlEntityManager,
    transaction: inTransaction(),
    snapshot: inTransaction({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true }),
    reports,
    migrate: () => migrate(orm),
    async close() {
      stallDetector.close();
      pools.close();
      const closed = Promise.all([pool.end(), reservedPool.end(), orm.close(true), reports.close()]);
      await Promise.race([closed, pause(closeTimeoutMs, undefined, { ref: false })]);
    },
  };
}
