import { migrations } from '../../migrations/index.ts';
import { openDatabase } from '../../src/db/connection/database.ts';
import { openOrm } from '../../src/db/connection/orm.ts';
import { columnsOfDatabase, columnsOfMigrations, OtherTables } from '../../src/db/connection/require-tables.ts';
import { cloneDatabase, execute } from '../support/database.ts';
import { databaseForTests } from '../support/database-for-tests.ts';

const { url, database } = await databaseForTests();

test('a migration of a newer version is returned as unknown and not undone', async () => {
  await database.pool.query(`insert into migrations (name) values ('9999-of-a-newer-version')`);

  const migrated = await database.migrate();

  expect(migrated).toEqual({ done: [], unknown: ['9999-of-a-newer-version'] });
});

test('a role that owns only its schema migrates this schema, once, beside another installation in `public`', async () => {
  const own = new URL(url);
  // Roles belong to the server, which other runs may use too. With the password of the test's role, if the server requires one.
  own.username = `owner_of_${own.pathname.slice(1)}`;
  await execute(url, `create role ${own.username} login password '${own.password}'`);
  await execute(url, `create schema gateway authorization ${own.username}; revoke all on schema public from public`);
  own.searchParams.set('options', '-c search_path=gateway');
  const open = () => openDatabase({ url: own.href, poolSize: 1, stallTimeoutMs: 10_000 });

  const first = await open();
  const migrated = await first.migrate().finally(() => first.close());
  const second = await open();
  const again = await second.migrate().finally(() => second.close());

  expect(migrated).toEqual({ done: migrations.map(({ name }) => name), unknown: [] });
  expect(again).toEqual({ done: [], unknown: [] });
  await execute(url, `drop schema gateway cascade; drop role ${own.username}`);
});

test('the columns that are read out of the migrations are those of a migrated database', async () => {
  const orm = await openOrm({ url, connection: {}, max: 1, onPoolCreated: () => undefined });
  try {
    const [made, read] = [await columnsOfDatabase(orm), await columnsOfMigrations(orm)];

    const ofMigrator = ['id', 'name', 'executed_at'].map((column) => `migrations.${column}`);
    expect([...read, ...ofMigrator].sort()).toEqual([...made].sort());
  } finally {
    await orm.close(true);
  }
});

test.each([
  ['whose tables lack a column', 'alter table workers drop column version', 'has no workers.version'],
  [
    'in which a migration finds what it makes',
    `delete from migrations where name = '0001-organizations-and-teams'`,
    'already exists',
  ],
])('a database of another version, %s, is refused with the reason', async (_, change, reason) => {
  const cloned = await cloneDatabase();
  await execute(cloned.url, change);
  const other = await openDatabase({ url: cloned.url, poolSize: 1, stallTimeoutMs: 10_000 });
  try {
    const migrated = other.migrate();

    await expect(migrated).rejects.toThrow(OtherTables);
    await expect(migrated).rejects.toThrow(reason);
  } finally {
    await other.close();
    await cloned.drop();
  }
});
