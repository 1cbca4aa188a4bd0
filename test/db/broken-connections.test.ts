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

test('connections that the server ends, in use and idle, are an outage and nothing worse', async () => {
  const sleeping = database.query(sleep);
  const inTransaction = database.transaction((entities) => entities.getConnection().execute('select pg_sleep(60)'));
  const ended = Promise.allSettled([sleeping, inTransaction]);
  await until(() => database.pool.totalCount - database.pool.idleCount === 1);
  await Promise.all([database.query(one), database.entities().getConnection().execute('select 1')]);

  await execute(url, kill);

  for (const outcome of await ended) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
  }
  // An idle connection whose end has not been read yet is found out by the next to use it.
  const rows = await until(
    () => database.query(one).catch(() => undefined),
    (found) => found !== undefined,
  );
  expect(rows).toEqual([{ one: 1 }]);
});

describe('a standby, as a connection may find itself on after a failover', () => {
  const name = () => new URL(url).pathname.slice(1);
  const takesWrites = (does: boolean) =>
    execute(services.adminDatabaseUrl, `alter database ${name()} set default_transaction_read_only = ${!does}`);
  const insert = `insert into sweep_cursors (name, done_until) values ('a mark', now()) on conflict do nothing`;
  const readUnlogged = `do $$ begin
    raise feature_not_supported using message = 'cannot access temporary or unlogged relations during recovery';
  end $$`;

  test('is an outage, and is left for the server that takes writes', async () => {
    await takesWrites(false);
    const moved = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 10_000 });
    const write = () => moved.query(statement('mark', insert));
    const change = () => moved.transaction((entities) => entities.execute(insert));

    await expect(write()).rejects.toThrow(Unavailable);
    await expect(change()).rejects.toThrow(Unavailable);
    await expect(moved.query(statement('read_unlogged', readUnlogged))).rejects.toThrow(Unavailable);
    await takesWrites(true);

    await write();
    await change();
    await moved.close();
  });
});

describe('transactions, of which there are five connections', () => {
  let impatient: Database;
  beforeAll(async () => {
    impatient = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 800 });
  });
  afterAll(() => impatient.close());

  test('the connection that the ORM opens first is one of them', async () => {
    await expect(impatient.entities().execute('select pg_sleep(2)')).rejects.toThrow('timeout');
  });

  const inTransaction = (sql: string) => impatient.transaction((entities) => entities.execute(sql));

  test.each([
    ['whose connection the server ends', 'select pg_terminate_backend(pg_backend_pid())'],
    ['that are not answered in time', 'select pg_sleep(2)'],
  ])('%s: the next find one all the same, and no lock stays', async (_, sql) => {
    const failed = await Promise.allSettled(Array.from({ length: 10 }, () => inTransaction(sql)));

    for (const outcome of failed)
      expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(Unavailable) });
    expect(await inTransaction('select 1 as one')).toEqual([{ one: 1 }]);
    await until(async () => (await impatient.query(held)).length === 0);
  });

  test.each([
    ['for a connection', 'select pg_sleep(0.1)'],
    ['for a lock', 'select pg_advisory_xact_lock(1), pg_sleep(0.05)'],
  ])('a burst waits %s as long as others are answered', async (_, sql) => {
    await Promise.all(Array.from({ length: 40 }, () => inTransaction(sql)));
  });

  test('one whose process stands still in the middle is ended by the server', async () => {
    const standing = impatient.transaction(async (entities) => {
      await entities.execute('select 1');
      await until(async () => (await database.query(held)).length === 1);
      await until(async () => (await database.query(held)).length === 0);
      await entities.execute('select 1');
    });

    await expect(standing).rejects.toThrow(Unavailable);
  });
});
