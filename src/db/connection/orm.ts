import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import type { Pool, PoolConfig } from 'pg';
import { migrations } from '../../../migrations/index.ts';
import { entities } from '../entities/index.ts';

/** Any other encoding cannot store, or counts wrongly, some characters of clients and models. Checked at the start. */
export async function requireUtf8(orm: MikroORM): Promise<void> {
  const [found] = await orm.em.fork().execute<{ server_encoding: string }[]>('show server_encoding');
  const { server_encoding: encoding } = found!;
  if (encoding !== 'UTF8') throw new Error(`the database has the encoding ${encoding}: it has to be UTF8`);
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
    migrations: { migrationsList: migrations, snapshot: false, tableName: 'migrations', transactional: true },
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

export async function migrate(orm: MikroORM): Promise<{ done: string[]; unknown: string[] }> {
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
