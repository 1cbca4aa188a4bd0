import type { Secrets } from '../auth/secrets.ts';
import type { Database } from '../db/connection/database.ts';
import {
  type EndingKey,
  findUpstreamTeam,
  markKeyEndsSent,
  type UpstreamTeamRow,
} from '../db/upstream-teams/find-upstream-team.ts';
import {
  claimUpstreamChange,
  completeUpstreamChange,
  releaseUpstreamChange,
} from '../db/upstream-teams/pending-changes.ts';
import { Refusal } from '../errors.ts';
import { toUpstreamTeam, type UpstreamTeam } from './registration-requests.ts';
import type { TeamRegistration } from './team-registration.ts';

export interface SyncDeps {
  database: Database;
  secrets: Secrets;
  registration: TeamRegistration;
}

/** `partial`: the rest has to wait for unfinished calls. `failed`: the upstream did not accept the changes. */
type SyncOutcome = 'complete' | 'partial' | 'failed';

/**
 * Sends the upstream the recorded changes of a team, as the team is now (`spec 8.3`). True when it has accepted everything that
 * can be sent yet, or another process is sending it; false when it has not. Changes that were not sent stay recorded, and
 * maintenance sends them later. Never rejects because of the upstream.
 */
export async function syncTeam(deps: SyncDeps, teamId: string): Promise<boolean> {
  const { database } = deps;
  for (;;) {
    const version = await claimUpstreamChange(database, teamId);
    if (version === undefined) return true;
    const row = await findUpstreamTeam(database, teamId);
    const outcome = row === undefined ? 'complete' : await sendChanges(deps, row);
    if (outcome === 'complete' && (await completeUpstreamChange(database, teamId, version))) return true;
    await releaseUpstreamChange(database, teamId);
    if (outcome !== 'complete') return outcome === 'partial';
  }
}

async function sendChanges({ database, secrets, registration }: SyncDeps, row: UpstreamTeamRow): Promise<SyncOutcome> {
  const { team, ending_keys, isComplete } = retainInUse(toUpstreamTeam(row, secrets), row);
  try {
    await registration.update(team);
    for (const { key_sealed, grace_seconds } of ending_keys) {
      const key = openIfPossible(secrets, key_sealed, row.team_id);
      if (key !== undefined) await registration.endKey(team, key, grace_seconds);
    }
  } catch (error) {
    // The only refusal is `upstream_registration_failed`, which has been logged.
    if (error instanceof Refusal) return 'failed';
    throw error;
  }
  if (ending_keys.length > 0) await markKeyEndsSent(database, row.team_id, ending_keys);
  return isComplete ? 'complete' : 'partial';
}

/** Undefined for a key that was sealed with a MASTER_KEY that is lost: it stays valid at the upstream. */
function openIfPossible(secrets: Secrets, sealed: Buffer, teamId: string): string | undefined {
  try {
    return secrets.open(sealed, teamId);
  } catch {
    return undefined;
  }
}

/** What can be sent to the upstream now. */
interface RetainedTeam {
  team: UpstreamTeam;
  ending_keys: EndingKey[];
  /** False: the rest can be sent once the unfinished calls have ended. */
  isComplete: boolean;
}

/**
 * Unfinished calls continue (`spec 2.4`), with models that were chosen when they began (`spec 4.1`): a fallback may still need a
 * model that the team has lost, a suspended team, or a key that has been rotated. New calls cannot use them, because the gateway
 * refuses them.
 */
export function retainInUse(team: UpstreamTeam, row: UpstreamTeamRow): RetainedTeam {
  const { models_in_use, old_key_in_use } = row;
  const models = [...new Set([...team.models, ...models_in_use])];
  const suspended = team.suspended && models_in_use.length === 0;
  const ending_keys = old_key_in_use ? [] : row.ending_keys;
  return {
    team: { ...team, models, suspended },
    ending_keys,
    isComplete:
      models.length === team.models.length &&
      suspended === team.suspended &&
      ending_keys.length === row.ending_keys.length,
  };
}
