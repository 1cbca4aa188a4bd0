import { newTeamSessionToken, teamSessionSeconds } from '../../auth/team-session-token.ts';
import { hashVirtualKey } from '../../auth/virtual-key-format.ts';
import { auditEntry, writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { findTeamByKey, type TeamOfKey } from '../../db/keys/find-team-by-key.ts';
import { insertTeamSession } from '../../db/team-sessions/insert-team-session.ts';
import { refuse } from '../../errors.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import type { ServiceContext } from '../context.ts';
import { maxUserAgentCharacters } from './open-session.ts';

export interface OpenedTeamSession {
  token: string;
  teamId: string;
  expiresAt: Date;
}

/** Wrong keys of one network are counted as wrong passwords of one account of this name. */
const accountOfKeys = 'virtual keys';

/** Opens a session of the team of this key. Throws 401, 403 for a suspended team, or 429. `spec 19.2` */
export async function logInByKey(
  { deps, ip, userAgent, newId }: ServiceContext,
  virtualKey: string,
  limits: PasswordLimits,
): Promise<OpenedTeamSession> {
  const keyHashes = hashVirtualKey(deps.secrets, virtualKey);
  let team: TeamOfKey | undefined;
  const isRight = await limits.ofLogins(accountOfKeys, async () => {
    team = keyHashes && (await findTeamByKey(deps.database, keyHashes));
    return team !== undefined;
  });
  if (!isRight || !team || !keyHashes) throw refuse('key_invalid');
  const { team_id } = team;
  const actor = { caller: { kind: 'team', teamId: team_id }, ip } as const;
  if (team.suspended) {
    const failure = { action: 'failed_login', resource_type: 'team', resource_id: team_id };
    const details = { refused: 'team_suspended' };
    await deps.database.transaction((entities) => writeRepeatableEntry(entities, actor, { ...failure, details }));
    throw refuse('team_suspended', team_id);
  }
  const token = newTeamSessionToken();
  const expiresAt = await insertTeamSession(deps.database, {
    session_id: newId('session'),
    key_hashes: keyHashes,
    token_hash: deps.secrets.lookupHash(token),
    lifetime_seconds: teamSessionSeconds,
    ip_address: ip || null,
    user_agent: userAgent?.slice(0, maxUserAgentCharacters) ?? null,
    audit_entry: auditEntry(newId('audit'), actor, { action: 'login', resource_type: 'team', resource_id: team_id }),
  });
  if (!expiresAt) throw refuse('key_invalid');
  return { token, teamId: team_id, expiresAt };
}
