import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** By PostgreSQL's clock, like the records. */
export interface OldestTransaction {
  now: Date;
  /** When the oldest open transaction began, or now: every transaction that began earlier has committed its rows, or has none. */
  since: Date;
}

/** This role can read the start of its own transactions only, and only they make records. */
const sql = statement(
  'transactions_under_way',
  `select now() as now, least(now(), min(xact_start)) as since
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
);

export async function readOldestTransaction(database: Database): Promise<OldestTransaction> {
  const [row] = await database.query<OldestTransaction>(sql);
  return row!;
}
