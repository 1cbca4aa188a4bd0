import { databaseForTests } from '../support/database-for-tests.ts';

const { database } = await databaseForTests();

test('what a newer version did to a database is named, and left', async () => {
  await database.pool.query(`insert into migrations (name) values ('9999-of-a-newer-version')`);

  const migrated = await database.migrate();

  expect(migrated).toEqual({ done: [], unknown: ['9999-of-a-newer-version'] });
});
