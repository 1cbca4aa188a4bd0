import { type Database, openDatabase } from '../../src/db/connection/database.ts';
import { statement } from '../../src/db/sql/statement.ts';
import { Unavailable } from '../../src/errors.ts';
import { execute } from '../support/database.ts';
import { databaseForTests } from '../support/database-for-tests.ts';
import { services } from '../support/services.ts';
import { until } from '../support/until.ts';

const { url, database } = await databaseForTests();

const sleep = statement('sleep', 'select pg_sleep(60)');
const one = statement('one', 'select 1 as one');
const held = statement(
  'held',
  `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
);
const kill = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;

test('queries on connections that the server terminates reject as unavailable, and the next query succeeds', async () => {
  const sleeping = database.query(sleep);
  const inTransaction = database.transaction((entities) => entities.getConnection().execute('select pg_sleep(60)'));
  const ended = Promise.allSettled([sleeping, inTransaction]);
  await until(() => database.pool.totalCount - database.pool.idleCount === 1);
  await Promise.all([database.query(one), database.entities().getConnection().execute('select 1')]);

  await execute(url, kill);

  for (const outcome of await ended) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
  }
  // The end of an idle connection may be noticed by the next query on it.
  const rows = await until(
    () => database.query(one).catch(() => undefined),
    (found) => found !== undefined,
  );
  expect(rows).toEqual([{ one: 1 }]);
});

describe('a server that has become a standby', () => {
  const name = () => new URL(url).pathname.slice(1);
  const setWritable = (isWritable: boolean) =>
    execute(services.adminDatabaseUrl, `alter database ${name()} set default_transaction_read_only = ${!isWritable}`);
  const insert = `insert into sweep_cursors (name, done_until) values ('a mark', now()) on conflict do nothing`;
  const readUnlogged = `do $$ begin
    raise feature_not_supported using message = 'cannot access temporary or unlogged relations during recovery';
  end $$`;

  test('a write to a standby rejects as unavailable, and the next write uses the primary', async () => {
    await setWritable(false);
    const moved = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 10_000 });
    const write = () => moved.query(statement('mark', insert));
    const change = () => moved.transaction((entities) => entities.execute(insert));

    await expect(write()).rejects.toThrow(Unavailable);
    await expect(change()).rejects.toThrow(Unavailable);
    await expect(moved.query(statement('read_unlogged', readUnlogged))).rejects.toThrow(Unavailable);
    await setWritable(true);

    await write();
    await change();
    await moved.close();
  });
});

describe('the pool of five connections for transactions', () => {
  let briefly: Database;
  beforeAll(async () => {
    briefly = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 800 });
  });
  afterAll(() => briefly.close());

  test('a query on the connection that the ORM opened first has the timeout of the pool', async () => {
    await expect(briefly.entities().execute('select pg_sleep(2)')).rejects.toThrow('timeout');
  });

  const inTransaction = (sql: string) => briefly.transaction((entities) => entities.execute(sql));

  test.each([
    ['terminates their connections', 'select pg_terminate_backend(pg_backend_pid())'],
    ['does not respond in time', 'select pg_sleep(2)'],
  ])(
    'after ten transactions during which the server %s, the next transaction gets a connection, and none is left open',
    async (_, sql) => {
      const failed = await Promise.allSettled(Array.from({ length: 10 }, () => inTransaction(sql)));

      for (const outcome of failed)
        expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
      expect(await inTransaction('select 1 as one')).toEqual([{ one: 1 }]);
      await until(async () => (await briefly.query(held)).length === 0);
    },
  );

  test.each([
    ['for a connection', 'select pg_sleep(0.1)'],
    ['for a lock', 'select pg_advisory_xact_lock(1), pg_sleep(0.05)'],
  ])('forty transactions at once wait %s and all succeed while the server responds', async (_, sql) => {
    await Promise.all(Array.from({ length: 40 }, () => inTransaction(sql)));
  });

  test('a transaction whose process is idle for too long is ended by the server', async () => {
    const standing = briefly.transaction(async (entities) => {
      await entities.execute('select 1');
      await until(async () => (await database.query(held)).length === 1);
      await until(async () => (await database.query(held)).length === 0);
      await entities.execute('select 1');
    });

    await expect(standing).rejects.toThrow(Unavailable);
  });
});
