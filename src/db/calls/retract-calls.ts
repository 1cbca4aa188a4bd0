import { type Database, statement } from '../connection/database.ts';

const sql = statement(
  'retract_calls',
  `update calls set status = 'retracted', finished_at = coalesce(finished_at, now())
    where call_id = any ($1) and status in ('queued', 'retracted')
   returning call_id`,
);

/** Retracts those calls that no worker has begun, and returns which. Repeated, it returns the same. */
export async function retractCalls(database: Database, callIds: readonly string[]): Promise<Set<string>> {
  const rows = await database.query<{ call_id: string }>(sql, [callIds]);
  return new Set(rows.map(({ call_id }) => call_id));
}
