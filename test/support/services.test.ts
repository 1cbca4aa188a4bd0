import { cloneDatabase } from './database.ts';
import { services } from './services.ts';

test('every test file gets a migrated database of its own', async () => {
  const [one, other] = await Promise.all([cloneDatabase(), cloneDatabase()]);

  expect(one.url).not.toBe(other.url);
  expect(services.temporalAddress).toMatch(/:\d+$/);

  await Promise.all([one.drop(), other.drop()]);
});
