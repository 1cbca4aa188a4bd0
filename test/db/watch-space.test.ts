import { openDatabase } from '../../src/db/connection/database.ts';
import { isWritable } from '../../src/db/connection/is-writable.ts';
import { cloneDatabase, execute } from '../support/database.ts';
import { until } from '../support/until.ts';

test('a server without space on its disk is noticed while reads succeed, and so is its end (spec 14.1)', async () => {
  const { url, drop } = await cloneDatabase();
  const name = new URL(url).pathname.slice(1);
  // As a server answers that has to write a temporary file: the function of this name is found first.
  await execute(url, `alter database ${name} set search_path = public, pg_catalog`);
  await execute(
    url,
    `create function public.md5(text) returns text language plpgsql as
    $$ begin raise disk_full using message = 'could not write to file: No space left on device'; end $$`,
  );
  const database = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 10_000 });
  try {
    await until(database.isFull);
    expect(await isWritable(database)).toBe(true);

    await execute(url, 'drop function public.md5(text)');

    await until(async () => !(await database.isFull()));
  } finally {
    await database.close();
    await drop();
  }
});

test('the check of the space writes a file, and leaves nothing', async () => {
  const { url, drop } = await cloneDatabase();
  const database = await openDatabase({ url, poolSize: 1, stallTimeoutMs: 10_000 });
  const written = async () => {
    await database.pool.query('select pg_stat_clear_snapshot()');
    const { rows } = await database.pool.query<{ bytes: string }>(
      'select temp_bytes as bytes from pg_stat_database where datname = current_database()',
    );
    return Number(rows[0]!.bytes);
  };
  try {
    expect(await database.isFull()).toBe(false);

    const bytes = await until(written);

    expect(bytes).toBeGreaterThan(100_000);
  } finally {
    await database.close();
    await drop();
  }
});
