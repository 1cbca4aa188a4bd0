import { heartbeat } from '@temporalio/activity';
import { listUpstreamChanges } from '../src/db/queries/carry-upstream-changes.ts';
import { listLapsedClaims } from '../src/db/queries/claim-team.ts';
import { abandonTeam } from '../src/registration/abandon-team.ts';
import { carryChanges } from '../src/registration/carry-changes.ts';
import type { ActivityDeps } from './deps.ts';

const atATime = 100;
/** An upstream that is away is not asked for every team there is. */
const failuresInARow = 3;

/** How many the upstream followed in; each `ask` says whether it did. */
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
  /** Takes back upstream what is left of teams that were never made. Idempotent: each under a claim of its own. */
  async abandonUnmadeTeams(): Promise<number> {
    return askInTurn(await listLapsedClaims(deps.database, atATime), (claim) => abandonTeam(deps, claim));
  },

  /** Tells the upstream what it has not heard yet, the longest waiting first. Idempotent: each as it is now. */
  async carryTeamChanges(): Promise<number> {
    return askInTurn(await listUpstreamChanges(deps.database, atATime), (teamId) => carryChanges(deps, teamId));
  },
});
