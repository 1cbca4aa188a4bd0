import { readSettings } from '../config/read-settings.ts';
import { MigrationSettings } from '../config.ts';
import { createLog } from '../log.ts';
import { settingsOrExit, startOrExit } from '../process-lifecycle.ts';
import { openDatabase } from './connection/database.ts';
import { OtherTables } from './connection/require-tables.ts';
import { grantServiceRole } from './grant-service-role.ts';

/** A statement that waits for a lock on a table holds up every later statement on it: it gives up after this time, and is repeated. */
const lockTimeoutMs = 2_000;

/**
 * `DATABASE_URL=… node src/db/migrate.ts`: brings a database up to this version. Takes a lock, so several may start at once. With
 * `DATABASE_SERVICE_URL`, that of api and worker, it gives the role of that URL its rights. `spec 15.11`
 */
const { DATABASE_URL: url, DATABASE_SERVICE_URL: serviceUrl } = settingsOrExit(() =>
  readSettings(MigrationSettings, process.env),
);

const log = createLog('info', 'migrate');
await startOrExit(log, async () => {
  const database = await openDatabase({ url, poolSize: 2, stallTimeoutMs: 600_000, maxWaitMs: 600_000, lockTimeoutMs });
  const lock = await database.pool.connect();
  try {
    // A session's lock would outlive this process behind a pooler in transaction mode, and the next migration would wait for it.
    await lock.query('begin');
    await lock.query('set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0');
    await lock.query("select pg_advisory_xact_lock(hashtext('job-gateway migrations'))");
    const { done, unknown } = await database.migrate().catch((error: unknown) => {
      if (!(error instanceof OtherTables)) throw error;
      log.fatal({ problem: error.message }, 'migrate: the tables are those of another version');
      process.exit(1);
    });
    if (unknown.length > 0) log.warn({ unknown }, 'migrate: database has migrations of a newer version');
    if (serviceUrl) await grantServiceRole(database.pool, serviceUrl);
    console.log(JSON.stringify({ migrated: done }));
  } finally {
    lock.release(true);
    await database.close();
  }
});
