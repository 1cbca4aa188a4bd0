import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** The texts of a request as they are stored, JSON text. */
export interface StoredRequest {
  request: string;
  options: string | null;
}

const sql = statement('read_request', 'select request, options from call_payloads where call_id = :call_id');

/** Undefined: it is not stored any more. */
export async function readRequest(database: Database, callId: string): Promise<StoredRequest | undefined> {
  const [row] = await database.query<StoredRequest>(sql, { call_id: callId });
  return row;
}
