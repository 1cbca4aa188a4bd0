import { migrations } from '../../migrations/index.ts';
import { openDatabase } from '../../src/db/connection/database.ts';
import { OtherTables } from '../../src/db/connection/orm.ts';
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

test.each([
  ['whose tables lack a column', 'alter table teams drop column metadata cascade', 'has no teams.metadata'],
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
