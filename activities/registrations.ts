import { heartbeat } from '@temporalio/activity';
import { listLapsedClaims } from '../src/db/queries/claim-team.ts';
import { listUpstreamChanges } from '../src/db/queries/upstream-changes.ts';
import { abandonTeam } from '../src/registration/abandon-team.ts';
import { carryChanges } from '../src/registration/carry-changes.ts';
import type { ActivityDeps } from './deps.ts';

const atATime = 100;
/** An upstream that is away is not asked for every team there is. */
const failuresInARow = 3;

export const createRegistrationActivities = (deps: ActivityDeps) => ({
  /** Takes back upstream what is left of teams that were never made. Idempotent: each under a claim of its own. */
  async abandonUnmadeTeams(): Promise<number> {
    const claims = await listLapsedClaims(deps.database, atATime);
    for (const claim of claims) {
      await abandonTeam(deps, claim);
      heartbeat();
    }
    return claims.length;
  },

  /** Tells the upstream what it has not heard yet, the longest waiting first. Idempotent: each as it is now. */
  async carryTeamChanges(): Promise<number> {
    let carried = 0;
    let failures = 0;
    for (const teamId of await listUpstreamChanges(deps.database, atATime)) {
      const followed = await carryChanges(deps, teamId);
      failures = followed ? 0 : failures + 1;
      carried += followed ? 1 : 0;
      heartbeat();
      if (failures === failuresInARow) break;
    }
    return carried;
  },
});
