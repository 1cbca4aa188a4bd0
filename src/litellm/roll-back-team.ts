import { randomUUID } from 'node:crypto';
import type { Database } from '../db/connection/database.ts';
import { deleteClaim, expireClaim, type TeamClaim, takeOverClaim } from '../db/teams/claim-team.ts';
import type { TeamRegistration } from './team-registration.ts';

/**
 * Undoes a creation that did not finish: removes the team from the upstream, then its claim. Works under a claim of its own, so
 * that no request creates the team in between. False: the upstream could not remove it, and maintenance retries.
 */
export async function rollBackTeam(
  { database, registration }: { database: Database; registration: TeamRegistration },
  claim: TeamClaim,
): Promise<boolean> {
  const own = { ...claim, operation_id: randomUUID() };
  if (!(await takeOverClaim(database, claim, own.operation_id))) return true;
  const retracted = await registration.retract(own);
  await (retracted ? deleteClaim(database, own) : expireClaim(database, own));
  return retracted;
}
