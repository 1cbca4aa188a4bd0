import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import pg, { type Pool, type PoolClient, type QueryConfig } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { Unavailable } from '../errors.ts';
import { Pulse } from '../pulse.ts';
import { columnTypes } from './column-types.ts';
import { entities } from './entities/index.ts';
import { asOutage, isCollision } from './failures.ts';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** After this long without an answer to anybody the server is away. A frozen one must not freeze us. */
  silenceMs: number;
  /** For a connection of a busy pool, for a lock: as long as others are answered. Default 20 s. */
  longestWaitMs?: number;
}

/**
 * Two ways in, for two kinds of work. `query` is the hot path: one prepared statement, one round trip.
 * `entities` is management: a fresh EntityManager, and `transaction` when several things change together.
 */
export interface Database {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  entities(): SqlEntityManager;
  /** `work` is carried out again when it meets another and is undone: what it does outside of `entities` must bear that. */
  transaction<T>(work: (entities: SqlEntityManager) => Promise<T>): Promise<T>;
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

const connection = { keepAlive: true, application_name: 'job-gateway' };

/** Connections for management, beside those for calls: it is never in a hurry and never many. */
const mostManaging = 5;

/** A new connection plans its statements again, and again for their first five times: 60 ms of work for those of a call. */
const keptIdleMs = 600_000;

/** A frozen server does not say goodbye. */
const longestGoodbyeMs = 3_000;

const mostCollisions = 3;

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

/**
 * A connection of management that breaks, or does not answer in time, is closed: what it was at work on the server undoes.
 * Kysely gives a connection back after its BEGIN and its ROLLBACK were answered; where they were not, it goes back here.
 */
function closeUnanswered(connection: PoolClient): void {
  const ask = connection.query.bind(connection) as (...query: unknown[]) => unknown;
  const asking = (...query: unknown[]) => {
    const answer = ask(...query);
    if (answer instanceof Promise) answer.catch((error: unknown) => giveUp(query[0], error));
    return answer;
  };
  const giveUp = (text: unknown, error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) void (connection as unknown as pg.Client).end().catch(() => undefined);
    if (text === 'begin' || text === 'rollback') connection.release(true);
  };
  connection.query = asking as PoolClient['query'];
}

const away = () => new Unavailable('database', { cause: 'it answers nobody' });

/**
 * One round trip. A statement that is given up while it waits for a connection is never sent; one that was sent takes its
 * connection with it.
 */
async function send<Row extends object>(pool: Pool, query: QueryConfig, givenUp: AbortSignal): Promise<Row[]> {
  const connection = await pool.connect();
  let isHeld = true;
  const release = (isBroken: boolean) => {
    if (isHeld) connection.release(isBroken);
    isHeld = false;
  };
  const drop = () => release(true);
  if (givenUp.aborted) {
    release(false);
    throw away();
  }
  givenUp.addEventListener('abort', drop);
  try {
    const { rows } = await connection.query<Row>(query);
    release(false);
    return rows;
  } catch (error) {
    // After an error that the server told, the connection is as good as before.
    release(!(error instanceof pg.DatabaseError));
    throw error;
  } finally {
    givenUp.removeEventListener('abort', drop);
  }
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { silenceMs, longestWaitMs = 20_000 } = options;
  // A process that is frozen in the middle of a transaction must not hold others for as long as it is.
  const longestIdleMs = silenceMs * 5;
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', transactional: true },
    pool: { min: 0, max: mostManaging },
    // The ORM reads no more of a url than where and who: of its parameters, TLS among them, the driver hears from this.
    driverOptions: {
      ...connection,
      connectionString: options.url,
      connectionTimeoutMillis: silenceMs,
      query_timeout: silenceMs,
    },
    debug: false,
    logger: () => undefined,
  });
  const pool = new pg.Pool({
    ...connection,
    Client: connectsWithin(silenceMs),
    connectionString: options.url,
    max: options.poolSize,
    idleTimeoutMillis: keptIdleMs,
    connectionTimeoutMillis: longestWaitMs,
    query_timeout: longestWaitMs,
  });
  const managing = (await orm.em.getConnection().getNativeClient()) as Pool;
  managing.on('connect', closeUnanswered);
  const pulse = new Pulse(silenceMs);
  for (const one of [pool, managing]) {
    // A connection that breaks, in use or not, tells whoever uses it; whoever needs one next opens another.
    one.on('error', () => undefined);
    one.on('connect', (opened) => opened.on('error', () => undefined));
  }

  return {
    pool,
    query: <Row extends object>(sql: Statement, values: readonly unknown[]) =>
      pulse.listen(
        (givenUp) =>
          throughCollisions(() => send<Row>(pool, { ...sql, values: [...values], types: columnTypes }, givenUp)),
        away,
      ),
    entities: () => orm.em.fork() as SqlEntityManager,
    transaction: (work) =>
      throughCollisions(() =>
        orm.em.fork().transactional(async (em) => {
          await em.execute(`set local idle_in_transaction_session_timeout = ${longestIdleMs}`);
          return work(em as SqlEntityManager);
        }),
      ),
    async migrate() {
      const done = await orm.migrator.up();
      return done.map((migration) => migration.name);
    },
    async close() {
      pulse.close();
      const closed = Promise.all([pool.end(), orm.close(true)]);
      await Promise.race([closed, pause(longestGoodbyeMs, undefined, { ref: false })]);
    },
  };
}
