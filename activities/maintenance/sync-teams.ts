import { heartbeat } from '@temporalio/activity';
import { listExpiredClaims } from '../../src/db/teams/claim-team.ts';
import { listPendingChanges } from '../../src/db/upstream-teams/pending-changes.ts';
import { rollBackTeam } from '../../src/litellm/roll-back-team.ts';
import { syncTeam } from '../../src/litellm/sync-team.ts';
import type { ActivityDeps } from '../ports.ts';

const pageSize = 100;
/** After so many failures in a row the upstream counts as away, and the other teams wait for the next round. */
const maxFailuresInARow = 3;

/** `send` resolves to whether the upstream has applied the change. Returns how many it has applied. */
async function sendInTurn<T>(changes: T[], send: (change: T) => Promise<boolean>): Promise<number> {
  let applied = 0;
  let failuresInARow = 0;
  for (const change of changes) {
    const isApplied = await send(change);
    applied += isApplied ? 1 : 0;
    failuresInARow = isApplied ? 0 : failuresInARow + 1;
    heartbeat();
    if (failuresInARow === maxFailuresInARow) break;
  }
  return applied;
}

export const createTeamSyncSteps = (deps: ActivityDeps) => ({
  /** Removes from the upstream the teams whose creation was not completed. Idempotent: each under its own claim. */
  async rollBackUncreatedTeams(): Promise<number> {
    return sendInTurn(await listExpiredClaims(deps.database, pageSize), (claim) => rollBackTeam(deps, claim));
  },

  /**
   * Sends the upstream the team changes that it has not received, the longest waiting first. Idempotent: each team is sent as
   * it is now.
   */
  async syncTeams(): Promise<number> {
    return sendInTurn(await listPendingChanges(deps.database, pageSize), (teamId) => syncTeam(deps, teamId));
  },
});
