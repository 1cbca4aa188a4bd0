import { z } from 'zod';
import { DatabaseUrl, readSettings } from '../config.ts';
import { createLog } from '../log.ts';
import { startOrExit } from '../process-lifecycle.ts';
import { openDatabase } from './connection/database.ts';

/** `DATABASE_URL=… node src/db/migrate.ts`: brings a database up to this version. Takes a lock, so several may start at once. */
const { DATABASE_URL: url } = readSettings(z.object({ DATABASE_URL: DatabaseUrl }), process.env);

const log = createLog('info', 'migrate');
await startOrExit(log, async () => {
  const database = await openDatabase({ url, poolSize: 2, stallTimeoutMs: 600_000, maxWaitMs: 600_000 });
  const lock = await database.pool.connect();
  try {
    // A session's lock would outlive this process behind a pooler in transaction mode, and the next migration would wait for it.
    await lock.query('begin');
    await lock.query('set local idle_in_transaction_session_timeout = 0');
    await lock.query("select pg_advisory_xact_lock(hashtext('job-gateway migrations'))");
    const { done, unknown } = await database.migrate();
    if (unknown.length > 0) log.warn({ unknown }, 'the database belongs to a newer version of the gateway');
    console.log(JSON.stringify({ migrated: done }));
  } finally {
    lock.release(true);
    await database.close();
  }
});
