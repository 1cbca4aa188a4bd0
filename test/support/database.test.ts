import { cloneDatabase, execute } from './database.ts';

test('cloneDatabase gives every test file a migrated database of its own', async () => {
  const [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);

  // Without migrations there is no such table. In one shared database the second organization of the name would be refused.
  const insert = "insert into organizations (organization_id, name) values ('the-same', 'An organization')";
  await expect(Promise.all([execute(one.url, insert), execute(other.url, insert)])).resolves.toHaveLength(2);

  await Promise.all([one.drop(), other.drop()]);
});
