import { type Database, type DatabaseOptions, openDatabase } from '../../src/db/connection/database.ts';
import { cloneDatabase } from './database.ts';

/** A database of the test file's own, opened as the product opens one; closed and dropped after its tests. */
export async function databaseForTests(
  options: Partial<Omit<DatabaseOptions, 'url'>> = {},
): Promise<{ url: string; database: Database }> {
  const { url, drop } = await cloneDatabase();
  const database = await openDatabase({ url, poolSize: 4, stallTimeoutMs: 10_000, ...options });
  afterAll(async () => {
    await database.close();
    await drop();
  });
  return { url, database };
}
