import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Database } from '../connection/database.ts';
import { executeIn } from '../connection/execute-in.ts';
import { statement, unnamed } from './statement.ts';

const nowSql = statement('database_time', 'select now() as now');

/** The clock of the records: that of one process may be wrong, and credits would come early or late. */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.query<{ now: Date }>(nowSql);
  return row!.now;
}

const timeSql = unnamed('select clock_timestamp() as now');

/** The same in a transaction: the time when it is read. */
export async function timeOfTransaction(entities: SqlEntityManager): Promise<Date> {
  const [row] = await executeIn<{ now: string }>(entities, timeSql, {});
  return new Date(row!.now);
}

/** The times are by PostgreSQL's clock, like those of the records. */
export interface OldestTransaction {
  now: Date;
  /** The time at which the oldest open transaction began, or now: each that began earlier has committed its rows, or has none. */
  since: Date;
}

/**
 * This role can read the start of its own transactions only, and only they write records. A superuser also sees autovacuum, which may
 * take hours for a large table and writes none.
 */
const oldestSql = statement(
  'oldest_transaction',
  `select now() as now, least(now(), min(xact_start)) as since
     from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
);

export async function readOldestTransaction(database: Database): Promise<OldestTransaction> {
  const [row] = await database.query<OldestTransaction>(oldestSql);
  return row!;
}
