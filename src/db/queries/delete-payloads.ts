import { type Database, statement } from '../database.ts';

const sql = statement(
  'delete_payloads',
  `delete from call_payloads where call_id in (
     select p.call_id from call_payloads p join calls c on c.call_id = p.call_id
      where p.created_at < now() - make_interval(days => $1) and c.finished_at is not null
      limit $2)
   returning call_id`,
);

/** What was asked and said, older than the days; the record of the call stays. Says how many. */
export async function deletePayloads(database: Database, days: number, atMost: number): Promise<number> {
  return (await database.query(sql, [days, atMost])).length;
}
