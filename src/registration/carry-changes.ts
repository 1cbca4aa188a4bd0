import type { Secrets } from '../auth/secrets.ts';
import type { Database } from '../db/database.ts';
import { findUpstreamTeam } from '../db/queries/find-upstream-team.ts';
import { takeUpstreamChange, upstreamChangeDone, upstreamChangeLater } from '../db/queries/upstream-changes.ts';
import type { TeamRegistration, UpstreamTeam } from '../upstream/team-registration.ts';
import { upstreamTeam } from './upstream-team.ts';

export interface CarryDeps {
  database: Database;
  secrets: Secrets;
  registration: TeamRegistration;
}

/**
 * Brings what has changed of a team to the upstream, as it is now (`rulings.md` 8.3). True when the upstream knows
 * everything, or somebody else is telling it; false when it did not follow: the change stays noted, and maintenance
 * carries it over later. Never rejects for the upstream's sake.
 */
export async function carryChanges(deps: CarryDeps, teamId: string): Promise<boolean> {
  const { database, registration } = deps;
  for (;;) {
    const version = await takeUpstreamChange(database, teamId);
    if (version === undefined) return true;
    const row = await findUpstreamTeam(database, teamId);
    const followed = row === undefined || (await tell(registration, upstreamTeam(row, deps.secrets)));
    if (followed && (await upstreamChangeDone(database, teamId, version))) return true;
    await upstreamChangeLater(database, teamId);
    if (!followed) return false;
  }
}

/** Its refusal is in the log already. */
const tell = (registration: TeamRegistration, team: UpstreamTeam): Promise<boolean> =>
  registration
    .update(team)
    .then(() => registration.setSuspended(team))
    .then(
      () => true,
      () => false,
    );
