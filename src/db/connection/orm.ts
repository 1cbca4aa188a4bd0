import { setTimeout as pause } from 'node:timers/promises';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool, PoolConfig } from 'pg';
import { migrations } from '../../../migrations/index.ts';
import { CannotStart } from '../../errors.ts';
import { entities } from '../entities/index.ts';
import { cannotConnect } from './failures.ts';
import { OtherTables, requireTables } from './require-tables.ts';

interface Server {
  encoding: string;
  has_icu: boolean;
  /** The major version. */
  version: number;
}

const oldestVersion = 15;

/**
 * Any other encoding cannot store, or counts wrongly, some characters of clients and models. Upper and lower case beyond ASCII are
 * ICU's, with which every package of PostgreSQL is built.
 */
export function requireSupported({ encoding, has_icu, version }: Server): void {
  if (version < oldestVersion)
    throw new CannotStart(`PostgreSQL ${version} is too old: ${oldestVersion} or newer is needed`);
  if (encoding !== 'UTF8') throw new CannotStart(`the database has the encoding ${encoding}: it has to be UTF8`);
  if (!has_icu) throw new CannotStart('PostgreSQL is built without ICU, which compares names: its packages have it');
}

const serverSql = `
  select current_setting('server_encoding') as encoding,
         exists (select from pg_collation where collname = 'und-x-icu' and collprovider = 'i') as has_icu,
         current_setting('server_version_num')::int / 10000 as version`;

/** The first statement: a process that starts without the server, or with a wrong URL, fails here. */
export async function checkServer(orm: MikroORM, url: string): Promise<void> {
  const [server] = await orm.em
    .fork()
    .execute<Server[]>(serverSql)
    .catch((error: unknown) => {
      throw cannotConnect(url, error);
    });
  requireSupported(server!);
}

export interface OrmOptions {
  url: string;
  connection: PoolConfig;
  /** Connections of its pool. */
  max: number;
  onPoolCreated: (opened: Pool) => void;
}

/** The ORM with a pool of its own. */
export async function openOrm({ url, connection, max, onPoolCreated }: OrmOptions): Promise<MikroORM> {
  const orm = await MikroORM.init({
    clientUrl: url,
    entities,
    extensions: [Migrator],
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', allOrNothing: false },
    pool: { min: 0, max },
    // The ORM takes only host, user and database from the URL: its parameters, TLS among them, reach the driver this way.
    driverOptions: { ...connection, onPoolCreated },
    ensureDatabase: false,
    debug: false,
    logger: () => undefined,
  });
  await orm.connect();
  return orm;
}

/** PostgreSQL's code for a lock that was not free within `lock_timeout`. */
const lockNotAvailable = '55P03';
/** Calls that have queued behind the migration go on meanwhile. */
const retryPauseMs = 1_000;
/** No statement of ours takes longer; what holds a lock for longer is for the operator to end. */
const retryForMs = 300_000;

/** Each migration is a transaction of its own, so that one that gives up holds nothing, and the next attempt begins with it. */
async function upUntilLocked(orm: MikroORM): Promise<void> {
  const deadline = Date.now() + retryForMs;
  for (;;) {
    try {
      await orm.migrator.up();
      return;
    } catch (error) {
      const isLocked = (error as { code?: string }).code === lockNotAvailable;
      if (!isLocked || Date.now() > deadline) throw error;
      await pause(retryPauseMs);
    }
  }
}

/** PostgreSQL's class of statements that name what does not exist, or create what exists. */
const isOfOtherTables = (error: unknown): boolean => /^42[PS]?[0-9]/.test(String((error as { code?: unknown }).code));

/** `list`: other migrations than those of the product. */
export async function migrate(orm: MikroORM, list = migrations): Promise<{ done: string[]; unknown: string[] }> {
  // The migrator looks for its table in `public` otherwise, whatever the search path, and makes that schema where it sees none. With
  // its option `schema` it would refuse migrations that are no transaction.
  const [current] = await orm.em.fork().execute<{ schema: string | null }[]>('select current_schema() as schema');
  const tableName = current?.schema ? `${current.schema}.migrations` : 'migrations';
  orm.config.set('migrations', { ...orm.config.get('migrations'), tableName, migrationsList: list });
  const executed = async () => (await orm.migrator.getExecuted()).map(({ name }) => name);
  const before = new Set(await executed());
  await upUntilLocked(orm).catch((error: unknown) => {
    throw isOfOtherTables(error) ? new OtherTables((error as Error).message) : error;
  });
  if (list === migrations) await requireTables(orm);
  const after = await executed();
  const known = new Set(list.map(({ name }) => name));
  return { done: after.filter((name) => !before.has(name)), unknown: after.filter((name) => !known.has(name)) };
}
