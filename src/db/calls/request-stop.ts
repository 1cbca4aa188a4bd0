import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';
import { callIsOpen } from '../sql/status.ts';

const requesting = (audited: string) => `
  with call as (
    select call_id, status, stop_requested_at from calls where call_id = :call_id and ${callIsOpen()} for update
  ), requested as (
    update calls c set stop_requested_at = now() from call where c.call_id = call.call_id and call.stop_requested_at is null
    returning c.call_id
  )${audited}
  select status from call`;

const sql = statement('request_stop', requesting(''));
const auditedSql = statement(
  'request_stop_and_audit',
  requesting(`, audited as (${audit('requested')} on conflict (audit_id) do nothing)`),
);

/**
 * Requests that an open call ends with what it has produced so far, with the entry if it is the first request. Returns its status;
 * undefined: it has ended, or it was retracted.
 */
export async function requestStop(
  database: Database,
  callId: string,
  auditEntry: string | undefined,
): Promise<'queued' | 'running' | undefined> {
  const values = { call_id: callId, ...(auditEntry && { audit_entry: auditEntry }) };
  const [row] = await database.query<{ status: 'queued' | 'running' }>(auditEntry ? auditedSql : sql, values);
  return row?.status;
}

const findSql = statement(
  'find_stop_requests',
  'select call_id from calls where call_id = any (:call_ids::uuid[]) and stop_requested_at is not null',
);

/** Which of these calls are to be stopped. */
export async function findStopRequests(database: Database, callIds: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ call_id: string }>(findSql, { call_ids: callIds });
  return rows.map(({ call_id }) => call_id);
}

const shownSql = statement('was_shown', 'select from calls where call_id = :call_id and first_token_at is not null');

/** Whether a token of the answer was shown. */
export const wasShown = async (database: Database, callId: string): Promise<boolean> =>
  (await database.query(shownSql, { call_id: callId })).length > 0;
