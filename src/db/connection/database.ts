import { setTimeout as pause } from 'node:timers/promises';
import { IsolationLevel, type TransactionOptions } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import pg, { type Pool, type QueryConfig } from 'pg';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { StallDetector } from '../../liveness/stall-detector.ts';
import { type Statement, statement, type Values } from '../sql/statement.ts';
import { type ConnectionOptions, connectionOf } from './connection-options.ts';
import { asDatabaseOutage, isCollision } from './failures.ts';
import { migrate, openOrm, requireUtf8 } from './orm.ts';
import { queryConfig } from './query-config.ts';
import { openReports, type Reports } from './reports.ts';
import { watchPools } from './stall-aware-pool.ts';

export interface DatabaseOptions extends ConnectionOptions {
  poolSize: number;
}

/**
 * Three ways in, for three kinds of work, each with connections of its own. `query` is the hot path: one prepared statement, one
 * round trip. `entities` is management: a fresh EntityManager, and `transaction` when several things change together. `reports`
 * is for reads of many rows.
 */
export interface Database {
  query<Row extends object>(statement: Statement, values: Values): Promise<Row[]>;
  /** The same on reserved connections: for checks whether anything goes on at all, while all other connections may be waiting. */
  reserved<Row extends object>(statement: Statement, values: Values): Promise<Row[]>;
  entities(): SqlEntityManager;
  /** `work` runs again when the server undid it because of another transaction: its effects outside of `entities` must bear that. */
  transaction<T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  /** Several reads that see the database at one moment. */
  snapshot<T>(read: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  reports: Reports;
  /** The names of the migrations that were `done` now, and of those `unknown` here: a newer version has done them, and they stay. */
  migrate(): Promise<{ done: string[]; unknown: string[] }>;
  pool: Pool;
  close(): Promise<void>;
}

/** Connections for management, beside those for calls: it is never in a hurry and has few requests. */
const mostManaging = 5;

/** A new connection plans its statements anew, and again for their first five executions: 60 ms of work for those of a call. */
const keptIdleMs = 600_000;

/** A frozen server does not answer the closing of a connection. */
const longestGoodbyeMs = 3_000;

/** Two, so that one that falls silent holds up one query, not all. */
const mostReserved = 2;

/** The server's processes that wait for their client. */
const idleSql = statement(
  'idle_processes',
  `select pid from pg_stat_activity where pid = any (:process_ids::int[]) and state like 'idle%'`,
);
const idleCheckTimeoutMs = 2_000;

const mostCollisions = 3;

/** Longer after each collision, and different in each process: the other transaction must be done before, or they collide again. */
const pauseAfterCollision = (met: number): number => 20 * 2 ** met * (0.5 + Math.random() / 2);

/** When two transactions met, the server undid this one completely: it can be sent again as it is. */
async function throughCollisions<T>(send: () => Promise<T>): Promise<T> {
  for (let met = 1; ; met += 1) {
    try {
      return await send();
    } catch (error) {
      if (met === mostCollisions || !isCollision(error)) throw asDatabaseOutage(error);
      await pause(pauseAfterCollision(met));
    }
  }
}

/** One round trip. */
async function send<Row extends object>(pool: Pool, query: QueryConfig): Promise<Row[]> {
  const connection = await pool.connect();
  try {
    return (await connection.query<Row>(query)).rows;
  } finally {
    connection.release();
  }
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { silenceMs } = options;
  // A process that is frozen in the middle of a transaction must not hold its locks for as long as it is.
  const longestIdleMs = silenceMs * 5;
  const connection = connectionOf(options);
  const stallDetector = new StallDetector(silenceMs);
  const pools = watchPools(stallDetector, (processIds) => withTimeout(findIdle(processIds), idleCheckTimeoutMs));
  const findIdle = async (processIds: readonly number[]): Promise<Set<number>> => {
    const rows = await send<{ pid: number }>(reservedPool, queryConfig(idleSql, { process_ids: processIds }));
    return new Set(rows.map(({ pid }) => pid));
  };
  const prepare = (opened: Pool) => {
    pools.watch(opened);
    // A broken connection needs no handling: a query on it rejects, and the next query opens another one.
    opened.on('error', () => undefined);
    opened.on('connect', (one) => one.on('error', () => undefined));
  };
  const orm = await openOrm({ url: options.url, connection, max: mostManaging, prepare });
  // A process that starts without the server, or with a wrong URL, fails here.
  await requireUtf8(orm).catch(async (error: unknown) => {
    await orm.close(true);
    throw error;
  });
  const kept = { ...connection, idleTimeoutMillis: keptIdleMs };
  const reports = await openReports({ url: options.url, connection: kept, prepare, longestIdleMs });
  const openPool = (max: number): Pool => {
    const opened = new pg.Pool({ ...kept, max });
    prepare(opened);
    return opened;
  };
  const pool = openPool(options.poolSize);
  const reservedPool = openPool(mostReserved);

  const queryOf =
    (used: Pool): Database['query'] =>
    <Row extends object>(sql: Statement, values: Values) =>
      throughCollisions(() => send<Row>(used, queryConfig(sql, values)));

  const inTransaction =
    (isolation?: TransactionOptions) =>
    <T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T> =>
      throughCollisions(() =>
        orm.em.fork().transactional(async (em) => {
          await em.execute(`set local idle_in_transaction_session_timeout = ${longestIdleMs}`);
          return work(em as SqlEntityManager);
        }, isolation),
      );

  return {
    pool,
    query: queryOf(pool),
    reserved: queryOf(reservedPool),
    entities: () => orm.em.fork() as SqlEntityManager,
    transaction: inTransaction(),
    snapshot: inTransaction({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true }),
    reports,
    migrate: () => migrate(orm),
    async close() {
      stallDetector.close();
      pools.close();
      const closed = Promise.all([pool.end(), reservedPool.end(), orm.close(true), reports.close()]);
      await Promise.race([closed, pause(longestGoodbyeMs, undefined, { ref: false })]);
    },
  };
}
