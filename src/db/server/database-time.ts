import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

const sql = statement('database_time', 'select now() as now');

/** By the clock that dates the records: that of one process may be wrong, and credits would come early or late. */
export async function databaseTime(database: Database): Promise<Date> {
  const [row] = await database.query<{ now: Date }>(sql);
  return row!.now;
}
