import { type Database, statement } from '../database.ts';

const sql = statement('queued_calls', `select call_id from calls where call_id = any ($1) and status = 'queued'`);

/** Which of the calls have neither been begun by a worker nor ended. */
export async function queuedCalls(database: Database, callIds: readonly string[]): Promise<Set<string>> {
  const rows = await database.query<{ call_id: string }>(sql, [callIds]);
  return new Set(rows.map(({ call_id }) => call_id));
}
