import { migrations } from '../../migrations/index.ts';
import { openDatabase } from '../../src/db/connection/database.ts';
import { execute } from '../support/database.ts';
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
