import { type Database, statement } from '../database.ts';

/** By PostgreSQL's clock, as the records. */
export interface UnderWay {
  now: Date;
  /** When the oldest transaction under way began, or now: what began earlier has left its records, or none. */
  since: Date;
}

/** This role sees when its own transactions began, and only they make records. */
const sql = statement(
  'transactions_under_way',
  `select now() as now, least(now(), min(xact_start)) as since
     from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
);

export async function readUnderWay(database: Database): Promise<UnderWay> {
  const [row] = await database.query<UnderWay>(sql, []);
  return row!;
}
