import type { Database } from '../connection/database.ts';
import { callSettings, settingColumns } from '../entities/team.ts';
import { isValid, keyOfSession } from '../keys/every-key.ts';
import type { TeamOfKey } from '../keys/find-team-by-key.ts';
import { notIdle, type SessionUse, touch } from '../sessions/idle.ts';
import { statement } from '../sql/statement.ts';

/** The team of a session, as its key identifies it. */
export interface TeamOfSession extends Omit<TeamOfKey, 'suspended'> {
  session_id: string;
  key_hash: Buffer;
  /** The earlier end, of the session or of its key. */
  expires_at: Date;
}

/** Tables and conditions: one row for each session that has not ended, of an active team and a key that has not ended. */
export const openTeamSessions = `
  team_sessions s
    join lateral ${keyOfSession('s')} k on ${isValid('k')}
    join teams t on t.team_id = k.team_id and t.status = 'active'
    join organizations o on o.organization_id = t.organization_id and o.status = 'active'
   where s.expires_at > now() and ${notIdle('s')}`;

const sql = statement(
  'find_team_session',
  `with found as (
     select s.session_id, k.key_hash, k.key_id, least(s.expires_at, k.expires_at) as expires_at,
            t.team_id, t.organization_id, ${settingColumns(callSettings)}
       from ${openTeamSessions} and s.token_hash = any (:token_hashes::bytea[])
   ), ${touch('team_sessions')}
   select * from found`,
);

/** Every request with the cookie reads this, so that a rotation, a suspension or a sign-out takes effect at once. */
export async function findTeamSession(
  database: Database,
  tokenHashes: readonly Buffer[],
  use: SessionUse,
): Promise<TeamOfSession | undefined> {
  const [row] = await database.query<TeamOfSession>(sql, { token_hashes: tokenHashes, ...use });
  return row;
}
