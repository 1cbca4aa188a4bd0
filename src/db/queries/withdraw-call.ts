import { withdrawnEnd } from '../../domain/frames.ts';
import { type Database, statement } from '../database.ts';

const { status, error } = withdrawnEnd;

const sql = statement(
  'withdraw_call',
  `update calls set status = '${status}', error = '${error}', finished_at = now() where call_id = $1 and status = 'queued' returning call_id`,
);

const queuedSql = statement('call_is_queued', `select from calls where call_id = $1 and status = 'queued'`);

/** Takes back a call that no worker has begun. False: one has, or it has ended. */
export async function withdrawCall(database: Database, callId: string): Promise<boolean> {
  const rows = await database.query(sql, [callId]);
  return rows.length > 0;
}

/** No worker has begun it, and it has not ended. */
export async function isQueued(database: Database, callId: string): Promise<boolean> {
  const rows = await database.query(queuedSql, [callId]);
  return rows.length > 0;
}
