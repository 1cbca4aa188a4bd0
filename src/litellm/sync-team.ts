import type { Secrets } from '../auth/secrets.ts';
import type { Database } from '../db/connection/database.ts';
import {
  type EndingKey,
  findUpstreamTeam,
  keysEndingUpstream,
  type UpstreamTeamRow,
} from '../db/upstream-teams/find-upstream-team.ts';
import { takeUpstreamChange, upstreamChangeDone, upstreamChangeLater } from '../db/upstream-teams/pending-changes.ts';
import { Refusal } from '../errors.ts';
import { toUpstreamTeam, type UpstreamTeam } from './registration-requests.ts';
import type { TeamRegistration } from './team-registration.ts';

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
  const { team, ending_keys, isAll } = retainInUse(toUpstreamTeam(row, secrets), row);
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

/** What the upstream can be told of a team now. */
interface Spared {
  team: UpstreamTeam;
  ending_keys: EndingKey[];
  /** False: the rest can be told when the calls under way have ended. */
  isAll: boolean;
}

/**
 * Calls under way finish (`spec 2.4`), and their models were chosen before them (`spec 4.1`): a fallback may still need a model
 * that was taken from the team, a suspended team, or a key that was rotated away. No other call can use them, because new calls
 * are refused here.
 */
function retainInUse(team: UpstreamTeam, row: UpstreamTeamRow): Spared {
  const { models_under_way, old_key_under_way } = row;
  const models = [...new Set([...team.models, ...models_under_way])];
  const suspended = team.suspended && models_under_way.length === 0;
  const ending_keys = old_key_under_way ? [] : row.ending_keys;
  return {
    team: { ...team, models, suspended },
    ending_keys,
    isAll:
      models.length === team.models.length &&
      suspended === team.suspended &&
      ending_keys.length === row.ending_keys.length,
  };
}
