import { heartbeat } from '@temporalio/activity';
import { listLapsedClaims } from '../../src/db/teams/claim-team.ts';
import { listUpstreamChanges } from '../../src/db/upstream-teams/pending-changes.ts';
import { rollBackTeam } from '../../src/litellm/roll-back-team.ts';
import { syncTeam } from '../../src/litellm/sync-team.ts';
import type { ActivityDeps } from '../ports.ts';

const atATime = 100;
/** After so many failures the upstream is taken to be away, and the other teams wait for the next round. */
const failuresInARow = 3;

/** Returns how many the upstream has taken over; `ask` says whether it took over one. */
async function askInTurn<T>(waiting: T[], ask: (one: T) => Promise<boolean>): Promise<number> {
  let followed = 0;
  let failures = 0;
  for (const one of waiting) {
    const follows = await ask(one);
    followed += follows ? 1 : 0;
    failures = follows ? 0 : failures + 1;
    heartbeat();
    if (failures === failuresInARow) break;
  }
  return followed;
}

export const createRegistrationActivities = (deps: ActivityDeps) => ({
  /** Removes from the upstream what is left of teams that were never made. Idempotent: each under its own claim. */
  async abandonUnmadeTeams(): Promise<number> {
    return askInTurn(await listLapsedClaims(deps.database, atATime), (claim) => rollBackTeam(deps, claim));
  },

  /**
   * Sends the upstream the team changes that it has not received, the longest waiting first. Idempotent: each team is sent as
   * it is now.
   */
  async carryTeamChanges(): Promise<number> {
    return askInTurn(await listUpstreamChanges(deps.database, atATime), (teamId) => syncTeam(deps, teamId));
  },
});
