import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { IsolationLevel, type TransactionOptions } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import pg, { type Pool, type QueryConfig } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { Pulse } from '../pulse.ts';
import { columnTypes } from './column-types.ts';
import { type ConnectionOptions, connectionOf } from './connection.ts';
import { entities } from './entities/index.ts';
import { asDatabaseOutage, isCollision } from './failures.ts';
import { waitPatiently } from './wait-patiently.ts';

export interface DatabaseOptions extends ConnectionOptions {
  poolSize: number;
}

/**
 * Two ways in, for two kinds of work. `query` is the hot path: one prepared statement, one round trip.
 * `entities` is management: a fresh EntityManager, and `transaction` when several things change together.
 */
export interface Database {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** The same on reserved connections: for checks whether anything goes on at all, while all other connections may be waiting. */
  reserved<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  entities(): SqlEntityManager;
  /** `work` runs again when the server undid it because of another transaction: its effects outside of `entities` must bear that. */
  transaction<T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  /** Several reads that see the database at one moment. */
  snapshot<T>(read: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  /** The names of the migrations that were `done` now, and of those `unknown` here: a newer version has done them, and they stay. */
  migrate(): Promise<{ done: string[]; unknown: string[] }>;
  pool: Pool;
  close(): Promise<void>;
}

/** The name makes it prepared: parsed and planned once for each connection. */
export interface Statement {
  name: string;
  text: string;
}

/** PostgreSQL cuts names there, and two that begin alike would be the same statement. */
const longestName = 63;

export const statement = (name: string, text: string): Statement => ({
  name: name.length <= longestName ? name : createHash('sha1').update(name).digest('hex'),
  text,
});

/** Connections for management, beside those for calls: it is never in a hurry and has few requests. */
const mostManaging = 5;

/** A new connection plans its statements anew, and again for their first five executions: 60 ms of work for those of a call. */
const keptIdleMs = 600_000;

/** A frozen server does not answer the closing of a connection. */
const longestGoodbyeMs = 3_000;

/** Two, so that one that falls silent holds up one query, not all. */
const mostReserved = 2;

const mostCollisions = 3;

/** When two transactions met, the server undid this one completely: it can be sent again as it is. */
async function throughCollisions<T>(send: () => Promise<T>): Promise<T> {
  for (let met = 1; ; met += 1) {
    try {
      return await send();
    } catch (error) {
      if (met === mostCollisions || !isCollision(error)) throw asDatabaseOutage(error);
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

/** Any other encoding cannot hold, or counts wrongly, what clients and models may write: found out at the start, not by them. */
async function requireUtf8(orm: MikroORM): Promise<void> {
  const [found] = await orm.em.fork().execute<{ server_encoding: string }[]>('show server_encoding');
  const { server_encoding: encoding } = found!;
  if (encoding !== 'UTF8') throw new Error(`the database has the encoding ${encoding}: it has to be UTF8`);
}

/** The ORM with its pool for management. A process that starts without the server, or with a wrong URL, fails here. */
async function openOrm(url: string, connection: pg.PoolConfig, prepare: (opened: Pool) => void): Promise<MikroORM> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', transactional: true },
    pool: { min: 0, max: mostManaging },
    // The ORM takes only host, user and database from the URL: its parameters, TLS among them, reach the driver this way.
    driverOptions: { ...connection, onPoolCreated: prepare },
    debug: false,
    logger: () => undefined,
  });
  await orm.connect();
  await requireUtf8(orm).catch(async (error: unknown) => {
    await orm.close(true);
    throw error;
  });
  return orm;
}

async function migrate(orm: MikroORM): ReturnType<Database['migrate']> {
  // The migrator looks for its table in `public` otherwise, whatever the search path, and makes that schema where it sees none.
  const [current] = await orm.em.fork().execute<{ schema: string | null }[]>('select current_schema() as schema');
  orm.config.set('migrations', { ...orm.config.get('migrations'), schema: current?.schema ?? undefined });
  const done = await orm.migrator.up();
  const executed = await orm.migrator.getExecuted();
  const known = new Set(migrations.map(({ name }) => name));
  return {
    done: done.map(({ name }) => name),
    unknown: executed.map(({ name }) => name).filter((name) => !known.has(name)),
  };
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { silenceMs } = options;
  // A process that is frozen in the middle of a transaction must not hold its locks for as long as it is.
  const longestIdleMs = silenceMs * 5;
  const connection = connectionOf(options);
  const pulse = new Pulse(silenceMs);
  const prepare = (opened: Pool) => {
    waitPatiently(opened, pulse);
    // A broken connection needs no handling: a query on it rejects, and the next query opens another one.
    opened.on('error', () => undefined);
    opened.on('connect', (one) => one.on('error', () => undefined));
  };
  const orm = await openOrm(options.url, connection, prepare);
  const openPool = (max: number): Pool => {
    const opened = new pg.Pool({ ...connection, max, idleTimeoutMillis: keptIdleMs });
    prepare(opened);
    return opened;
  };
  const pool = openPool(options.poolSize);
  const reservedPool = openPool(mostReserved);

  const queryOf =
    (used: Pool): Database['query'] =>
    <Row extends object>(sql: Statement, values: readonly unknown[]) =>
      throughCollisions(() => send<Row>(used, { ...sql, values: [...values], types: columnTypes }));

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
    migrate: () => migrate(orm),
    async close() {
      pulse.close();
      const closed = Promise.all([pool.end(), reservedPool.end(), orm.close(true)]);
      await Promise.race([closed, pause(longestGoodbyeMs, undefined, { ref: false })]);
    },
  };
}
