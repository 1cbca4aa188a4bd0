import { openDatabase } from './database.ts';

/** `DATABASE_URL=… node src/db/migrate.ts`: brings a database up to this version. Takes a lock: several may start at once. */
const url = process.env.DATABASE_URL;
if (!url) throw new Error('DATABASE_URL is not set');

const database = await openDatabase({ url, poolSize: 2, silenceMs: 600_000, longestWaitMs: 600_000 });
const lock = await database.pool.connect();
try {
  await lock.query("select pg_advisory_lock(hashtext('job-gateway migrations'))");
  const done = await database.migrate();
  console.log(JSON.stringify({ migrated: done }));
} finally {
  lock.release(true);
  await database.close();
}
