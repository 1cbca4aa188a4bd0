import { type Database, statement } from '../database.ts';

const sql = statement(
  'withdraw_call',
  `update calls set status = 'refused', error = 'unavailable', finished_at = now() where call_id = $1 and status = 'queued' returning call_id`,
);

/** Takes back a call that no worker has begun. False: one has, or it has ended. */
export async function withdrawCall(database: Database, callId: string): Promise<boolean> {
  const rows = await database.query(sql, [callId]);
  return rows.length > 0;
}
