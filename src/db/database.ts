import { createHash } from 'node:crypto';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import { migrations } from '../../migrations/index.ts';
import { columnTypes } from './column-types.ts';
import { entities } from './entities/index.ts';
import { asOutage, isCollision } from './failures.ts';

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  /** A statement that takes longer is given up, and its connection with it. A frozen server must not freeze us. */
  statementTimeoutMs: number;
}

/**
 * Two ways in, for two kinds of work. `query` is the hot path: one prepared statement, one round trip.
 * `entities` is management: a fresh EntityManager, and `transaction` when several things change together.
 */
export interface Database {
  query<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<Row[]>;
  entities(): SqlEntityManager;
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

const mostCollisions = 3;

/** Two transactions met and the server undid this one, whole: one statement can be sent again as it is. */
async function throughCollisions<T>(send: () => Promise<T>): Promise<T> {
  for (let met = 1; ; met += 1) {
    try {
      return await send();
    } catch (error) {
      if (met === mostCollisions || !isCollision(error)) throw asOutage(error);
    }
  }
}

export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const orm = await MikroORM.init({
    clientUrl: options.url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', transactional: true },
    pool: { min: 0, max: options.poolSize },
    driverOptions: {
      connectionTimeoutMillis: options.statementTimeoutMs,
      query_timeout: options.statementTimeoutMs,
      keepAlive: true,
      application_name: 'job-gateway',
    },
    debug: false,
    logger: () => undefined,
  });
  const pool = (await orm.em.getConnection().getNativeClient()) as Pool;
  // A connection that breaks while nobody uses it; whoever needs one next opens another.
  pool.on('error', () => undefined);

  return {
    pool,
    async query<Row extends object>(sql: Statement, values: readonly unknown[]) {
      const result = await throughCollisions(() =>
        pool.query<Row>({ ...sql, values: [...values], types: columnTypes }),
      );
      return result.rows;
    },
    entities: () => orm.em.fork() as SqlEntityManager,
    async transaction(work) {
      try {
        return await orm.em.fork().transactional((em) => work(em as SqlEntityManager));
      } catch (error) {
        throw asOutage(error);
      }
    },
    async migrate() {
      const done = await orm.migrator.up();
      return done.map((migration) => migration.name);
    },
    close: () => orm.close(true),
  };
}
