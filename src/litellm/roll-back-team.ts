import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection/database.ts';
import { dropClaim, lapseClaim, type TeamClaim, takeOverClaim } from '../db/teams/claim-team.ts';
import type { TeamRegistration } from './team-registration.ts';

/**
 * Ends the making of a team that was not made: removes its registration upstream, then the claim. Takes a claim of its own, so
 * that no request makes the team anew in between. False: the upstream does not remove it now, and the next sweep tries again.
 */
export async function rollBackTeam(
  { database, registration }: { database: Database; registration: TeamRegistration },
  claim: TeamClaim,
): Promise<boolean> {
  const own = { ...claim, operation_id: randomUUID() };
  if (!(await takeOverClaim(database, claim, own.operation_id))) return true;
  const retracted = await registration.retract(own);
  await (retracted ? dropClaim(database, own) : lapseClaim(database, own));
  return retracted;
}
