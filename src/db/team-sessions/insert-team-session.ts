import { auditOnceAMinute } from '../audit/write-audit-entry.ts';
import type { Database } from '../connection/database.ts';
import { everyKey, isPresented, isValid } from '../keys/every-key.ts';
import { statement } from '../sql/statement.ts';

export interface NewTeamSession {
  session_id: string;
  /** The hashes of the key that was given, under the current and the previous MASTER_KEY. */
  key_hashes: readonly Buffer[];
  token_hash: Buffer;
  lifetime_seconds: number;
  ip_address: string | null;
  user_agent: string | null;
  /** The entry for `audit`. */
  audit_entry: string;
}

/** One key has at most so many sessions, so that it cannot fill the table. The oldest ends when there are more. */
const maxSessions = 100;

const sql = statement(
  'insert_team_session',
  `with key as (
     select case when key_id is null then key_hash end as key_hash, key_id, expires_at from ${everyKey} k
      where ${isPresented('k')} and ${isValid('k')}
   ), opened as (
     insert into team_sessions (session_id, key_hash, key_id, token_hash, expires_at, ip_address, user_agent)
     select :session_id::uuid, key_hash, key_id, :token_hash::bytea, now() + make_interval(secs => :lifetime_seconds),
            :ip_address::text, :user_agent::text
       from key
     returning session_id, expires_at
   ), excess as (
     delete from team_sessions where session_id in (
       select s.session_id from team_sessions s join key on key.key_hash = s.key_hash or key.key_id = s.key_id
        order by s.created_at desc offset ${maxSessions - 1})
   ), entry as (${auditOnceAMinute('opened')})
   select least(opened.expires_at, key.expires_at) as expires_at from opened, key`,
);

/** Opens a session of a team, with its audit entry. Returns when it ends at the latest; undefined: the key has ended. */
export async function insertTeamSession(database: Database, session: NewTeamSession): Promise<Date | undefined> {
  const [row] = await database.query<{ expires_at: Date }>(sql, { ...session });
  return row?.expires_at;
}
