import type { Database } from '../connection/database.ts';
import { deleteFirst } from '../sql/delete-in-batches.ts';
import { statement } from '../sql/statement.ts';

/** Deletes up to `atMost` rows older than `days`, the oldest first. Returns how many. */
type DeleteOld = (database: Database, days: number, atMost: number) => Promise<number>;

/** `time`: the column that the age is counted from, with an index. Only rows that fulfil the condition are deleted. */
function deleteOld(name: string, table: string, id: string, time: string, condition = 'true'): DeleteOld {
  const old = `${time} < now() - make_interval(days => :days) and ${condition} order by ${time}`;
  const sql = statement(name, deleteFirst(table, id, old));
  return async (database, days, atMost) => (await database.query(sql, { at_most: atMost, days })).length;
}

/** Requests and responses of calls that have ended; the records of the calls stay. Those of teams with a time of their own apart. */
export const deletePayloads = deleteOld(
  'delete_payloads',
  'call_payloads',
  'call_id',
  'created_at',
  'retention_days is null and exists (select from calls c where c.call_id = call_payloads.call_id and c.finished_at is not null)',
);

/** Deliveries that have ended, from the outbox and the delivery log. */
export const deleteDeliveries = deleteOld('delete_deliveries', 'webhook_deliveries', 'delivery_id', 'finished_at');

/** Sessions of admin users that have expired; the audit log keeps what was done in them. */
export const deleteEndedSessions = deleteOld('delete_ended_sessions', 'admin_sessions', 'session_id', 'expires_at');

/** Sessions of teams that have expired. */
export const deleteEndedTeamSessions = deleteOld(
  'delete_ended_team_sessions',
  'team_sessions',
  'session_id',
  'expires_at',
);

/** Keys that were replaced by a rotation and have ended, once the upstream has received the end. */
export const deleteEndedKeys = deleteOld(
  'delete_ended_keys',
  'virtual_keys',
  'key_hash',
  'expires_at',
  'end_sent_upstream',
);
