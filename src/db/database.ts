import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { IsolationLevel, type TransactionOptions } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import pg, { type Pool, type QueryConfig } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { Pulse } from '../pulse.ts';
import { columnTypes } from './column-types.ts';
import { entities } from './entities/index.ts';
import { asOutage, isCollision } from './failures.ts';
import { waitPatiently } from './wait-patiently.ts';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** After this long without an answer to anybody the server is away. A frozen one must not freeze us. */
  silenceMs: number;
  /** For a connection of a busy pool, for a lock: as long as others are answered. Default 20 s. */
  longestWaitMs?: number;
  /** For a lock, where whoever waits can try again, and would keep a connection from others. Default: as long as for anything. */
  longestLockMs?: number;
}

/**
 * Two ways in, for two kinds of work. `query` is the hot path: one prepared statement, one round trip.
 * `entities` is management: a fresh EntityManager, and `transaction` when several things change together.
 */
export interface Database {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  /** The same on connections apart: for what tells whether anything goes on at all, while all the others may be waiting. */
  apart<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  entities(): SqlEntityManager;
  /** `work` is carried out again when it meets another and is undone: what it does outside of `entities` must bear that. */
  transaction<T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  /** Several reads of one moment. */
  snapshot<T>(read: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
  migrate(): Promise<string[]>;
  pool: Pool;
  close(): Promise<void>;
}

/** The name makes it prepared: parsed and planned once a connection. */
export interface Statement {
  name: string;
  text: string;
}

/** PostgreSQL cuts names there, and two that begin alike would be one. */
const longestName = 63;

export const statement = (name: string, text: string): Statement => ({
  name: name.length <= longestName ? name : createHash('sha1').update(name).digest('hex'),
  text,
});

/** Connections for management, beside those for calls: it is never in a hurry and never many. */
const mostManaging = 5;

/** A new connection plans its statements again, and again for their first five times: 60 ms of work for those of a call. */
const keptIdleMs = 600_000;

/** A frozen server does not say goodbye. */
const longestGoodbyeMs = 3_000;

/** One that falls silent holds up one question, not all. */
const mostApart = 2;

const mostCollisions = 3;

/** A statement that waits for a lock would not notice that its client has left, and keep its connection while clients open others. */
const leavesWithTheClient = `set client_connection_check_interval = '1s'`;

/** Two transactions met and the server undid this one, whole: it can be sent again as it is. */
async function throughCollisions<T>(send: () => Promise<T>): Promise<T> {
  for (let met = 1; ; met += 1) {
    try {
      return await send();
    } catch (error) {
      if (met === mostCollisions || !isCollision(error)) throw asOutage(error);
    }
  }
}

/** A frozen server leaves those at work who have a connection, and lets nobody in. */
const connectsWithin = (silenceMs: number) =>
  class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis: silenceMs });
    }
  };

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
  const { silenceMs, longestWaitMs = 20_000 } = options;
  // A process that is frozen in the middle of a transaction must not hold others for as long as it is.
  const longestIdleMs = silenceMs * 5;
  // The ORM takes no more than host, user and database from a url: its parameters, TLS among them, reach the driver by this.
  const connection: pg.PoolConfig = {
    keepAlive: true,
    application_name: 'job-gateway',
    Client: connectsWithin(silenceMs),
    connectionString: options.url,
    connectionTimeoutMillis: longestWaitMs,
    query_timeout: longestWaitMs,
    async onConnect(one) {
      // Not every system can.
      await one.query(leavesWithTheClient).catch(() => undefined);
      if (options.longestLockMs) await one.query(`set lock_timeout = ${options.longestLockMs}`);
    },
  };
  const pulse = new Pulse(silenceMs);
  const prepare = (opened: Pool) => {
    waitPatiently(opened, pulse);
    // Nothing is to be done about a connection that breaks: a query on it rejects, and whoever needs one next opens another.
    opened.on('error', () => undefined);
    opened.on('connect', (one) => one.on('error', () => undefined));
  };
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', transactional: true },
    pool: { min: 0, max: mostManaging },
    driverOptions: { ...connection, onPoolCreated: prepare },
    debug: false,
    logger: () => undefined,
  });
  // Who starts with a server that is not there, or not as the url wants it, hears of it now.
  await orm.connect();
  const pool = new pg.Pool({ ...connection, max: options.poolSize, idleTimeoutMillis: keptIdleMs });
  const poolApart = new pg.Pool({ ...connection, max: mostApart, idleTimeoutMillis: keptIdleMs });
  prepare(pool);
  prepare(poolApart);
  const queryOf =
    (used: Pool): Database['query'] =>
    <Row extends object>(sql: Statement, values: readonly unknown[]) =>
      throughCollisions(() => send<Row>(used, { ...sql, values: [...values], types: columnTypes }));

  const inTransaction =
    (options?: TransactionOptions) =>
    <T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T> =>
      throughCollisions(() =>
        orm.em.fork().transactional(async (em) => {
          await em.execute(`set local idle_in_transaction_session_timeout = ${longestIdleMs}`);
          return work(em as SqlEntityManager);
        }, options),
      );

  return {
    pool,
    query: queryOf(pool),
    apart: queryOf(poolApart),
    entities: () => orm.em.fork() as SqlEntityManager,
    transaction: inTransaction(),
    snapshot: inTransaction({ isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true }),
    async migrate() {
      const done = await orm.migrator.up();
      return done.map((migration) => migration.name);
    },
    async close() {
      pulse.close();
      const closed = Promise.all([pool.end(), poolApart.end(), orm.close(true)]);
      await Promise.race([closed, pause(longestGoodbyeMs, undefined, { ref: false })]);
    },
  };
}
