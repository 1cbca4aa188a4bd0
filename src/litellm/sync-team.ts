import type { Secrets } from '../auth/secrets.ts';
import type { Database } from '../db/connection/database.ts';
import { findUpstreamTeam, keysEndingUpstream, type UpstreamTeamRow } from '../db/upstream-teams/find-upstream-team.ts';
import { takeUpstreamChange, upstreamChangeDone, upstreamChangeLater } from '../db/upstream-teams/pending-changes.ts';
import { Refusal } from '../errors.ts';
import { retainInUse } from './retain-in-use.ts';
import type { TeamRegistration } from './team-registration.ts';
import { upstreamTeam } from './upstream-team.ts';

export interface SyncDeps {
  database: Database;
  secrets: Secrets;
  registration: TeamRegistration;
}

/**
 * Brings the changes of a team to the upstream, as the team is now (`spec 8.3`). True when the upstream knows all that it
 * may know yet, or another process is telling it; false when the upstream did not take them. Untold changes stay noted, and
 * maintenance carries them over later. Never rejects because of the upstream.
 */
export async function syncTeam(deps: SyncDeps, teamId: string): Promise<boolean> {
  const { database } = deps;
  for (;;) {
    const version = await takeUpstreamChange(database, teamId);
    if (version === undefined) return true;
    const row = await findUpstreamTeam(database, teamId);
    const told = row === undefined ? 'all' : await tell(deps, row);
    if (told === 'all' && (await upstreamChangeDone(database, teamId, version))) return true;
    await upstreamChangeLater(database, teamId);
    if (told !== 'all') return told === 'some';
  }
}

async function tell(
  { database, secrets, registration }: SyncDeps,
  row: UpstreamTeamRow,
): Promise<'all' | 'some' | 'nothing'> {
  const { team, ending_keys, isAll } = retainInUse(upstreamTeam(row, secrets), row);
  try {
    await registration.update(team);
    await registration.setSuspended(team);
    for (const key of ending_keys) {
      await registration.endKey(team, secrets.open(key.key_sealed, row.team_id), key.grace_seconds);
    }
  } catch (error) {
    // A refusal comes from the upstream, and is in the log already.
    if (error instanceof Refusal) return 'nothing';
    throw error;
  }
  if (ending_keys.length > 0) await keysEndingUpstream(database, row.team_id, ending_keys);
  return isAll ? 'all' : 'some';
}
