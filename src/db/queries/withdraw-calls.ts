import { withdrawnEnd } from '../../domain/frames.ts';
import { type Database, statement } from '../database.ts';

const { status, error } = withdrawnEnd;

const sql = statement(
  'withdraw_calls',
  `update calls set status = '${status}', error = '${error}', finished_at = coalesce(finished_at, now())
    where call_id = any ($1) and (status = 'queued' or (status = '${status}' and error = '${error}'))
   returning call_id`,
);

/** Withdraws those calls that no worker has begun, and returns which. Repeated, it returns the same. */
export async function withdrawCalls(database: Database, callIds: readonly string[]): Promise<Set<string>> {
  const rows = await database.query<{ call_id: string }>(sql, [callIds]);
  return new Set(rows.map(({ call_id }) => call_id));
}
