import type { SessionKind } from '../../domain/session-kind.ts';
import { audit } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

export interface OwnSessionRow {
  session_id: string;
  kind: SessionKind;
  created_at: Date;
  expires_at: Date;
  ip_address: string | null;
  user_agent: string | null;
}

const isOpen = 'user_id = :user_id and not is_revoked and expires_at > now() and kind is not null';

const listSql = statement(
  'list_own_sessions',
  `select session_id, kind, created_at, expires_at, ip_address, user_agent from admin_sessions
    where ${isOpen} order by created_at desc, session_id limit 100`,
);

/** The newest sessions of a user that have not ended, at most 100. */
export const listOwnSessions = (database: Database, userId: string): Promise<OwnSessionRow[]> =>
  database.query<OwnSessionRow>(listSql, { user_id: userId });

const endOneSql = statement(
  'end_own_session',
  `with ended as (
     update admin_sessions set is_revoked = true where ${isOpen} and session_id = :session_id returning session_id
   ), audited as (${audit('ended')})
   select session_id from ended`,
);

/** A session and its user, with the JSON for `audit`. */
export interface SessionChange {
  user_id: string;
  session_id: string;
  audit_entry: string;
}

/** False: the user has no such session, or it has ended. */
export const endOwnSession = async (
  database: Database,
  { user_id, session_id, audit_entry }: SessionChange,
): Promise<boolean> => (await database.query(endOneSql, { user_id, session_id, audit_entry })).length > 0;

const endOthersSql = statement(
  'end_other_sessions',
  `with ended as (
     update admin_sessions set is_revoked = true where ${isOpen} and session_id <> :session_id returning session_id
   ), any_ended as (select from ended limit 1), audited as (${audit('any_ended')})
   select session_id from ended`,
);

/** Ends every session of the user but this one. Returns how many. */
export const endOtherSessions = async (
  database: Database,
  { user_id, session_id, audit_entry }: SessionChange,
): Promise<number> => (await database.query(endOthersSql, { user_id, session_id, audit_entry })).length;
