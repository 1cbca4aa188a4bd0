import { generateVirtualKey } from '../../auth/virtual-key-format.ts';
import { withTimeout } from '../../concurrency/with-timeout.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import type { OrganizationRow } from '../../db/organizations/find-organization.ts';
import {
  claimTeam,
  completeClaim,
  expireClaim,
  isCreated,
  listConflictingClaims,
  type TeamClaim,
} from '../../db/teams/claim-team.ts';
import { insertTeam, type NewTeam } from '../../db/teams/insert-team.ts';
import type { Grants } from '../../db/teams/resolve-grants.ts';
import { everyModel, type GrantedModels } from '../../db/upstream-teams/list-granted-models.ts';
import { recordStaleRegistration } from '../../db/upstream-teams/record-stale-registration.ts';
import { refuse, Unavailable } from '../../errors.ts';
import { rollBackTeam } from '../../litellm/roll-back-team.ts';
import { syncTeams } from '../../litellm/sync-teams.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

export interface TeamPlan {
  team: NewTeam;
  organization: OrganizationRow;
  grants: Grants;
  models: GrantedModels;
}

/** A request is answered within three seconds, two of which are for PostgreSQL. What takes longer is done after the answer. */
const resolveMs = 500;

/**
 * Makes the team on both sides, or on neither: claim its id, register it upstream, write it here. Whatever fails after
 * the claim makes it expire, and if the process ends in between, the team at the upstream is removed by maintenance or replaced by the
 * same create. `docs/decisions/0013-a-team-id-is-claimed-before-it-is-registered-upstream.md`.
 */
export async function makeTeam(context: ServiceContext, plan: TeamPlan): Promise<void> {
  const { deps } = context;
  const { database } = deps;
  const { team_id, organization_id, proxy_team_id } = plan.team;
  const claim = { team_id, organization_id, proxy_team_id, operation_id: context.newId('team') };
  for (const expired of await listConflictingClaims(database, claim))
    if (!(await rollBackTeam(deps, expired)))
      throw refuse('upstream_registration_failed', 'an earlier creation cannot be undone yet');
  switch (await claimTeam(database, claim)) {
    case 'created':
      return;
    case 'taken':
      throw refuse('team_exists', team_id);
    case 'proxy_taken':
      throw refuse('proxy_team_exists', proxy_team_id);
    case 'claimed':
      await makeClaimed(context, plan, claim);
  }
}

async function makeClaimed(context: ServiceContext, plan: TeamPlan, claim: TeamClaim): Promise<void> {
  const { deps, newId } = context;
  const { team, organization, grants, models } = plan;
  const virtual_key = generateVirtualKey(deps.secrets.keySeed(newId('virtual_key')));
  const key = {
    key_hash: deps.secrets.lookupHash(virtual_key),
    key_sealed: deps.secrets.seal(virtual_key, team.team_id),
  };
  const upstream = {
    ...team,
    ...team.account,
    proxy_organization_id: organization.proxy_organization_id,
    suspended: false,
    models: everyModel(models),
    virtual_key,
  };
  let isRegistered = false;
  let isStale: boolean;
  try {
    await deps.registration.register(upstream);
    isRegistered = true;
    isStale = await deps.database.transaction(async (entities) => {
      if (!(await completeClaim(entities, claim))) throw refuse('team_exists', team.team_id);
      await insertTeam(entities, { team, key, grants, transactionId: newId('transaction') });
      const isRecorded = await recordStaleRegistration(entities, team, models);
      await writeAuditEntry(entities, context, {
        action: 'created_team',
        resource_type: 'team',
        resource_id: team.team_id,
        details: { organization_id: team.organization_id, credits_allocated: team.account.credits_allocated },
      });
      return isRecorded;
    });
  } catch (error) {
    const resolved = resolveClaim(deps, claim, isRegistered);
    const resolvedInTime = error instanceof Unavailable ? withTimeout(resolved, resolveMs) : resolved;
    if (await resolvedInTime.catch(() => false)) return;
    throw error;
  }
  if (isStale) await syncTeams(deps, [team.team_id]);
}

/**
 * Removes the team, after a failure, from the upstream, and makes the claim expire. True if the team was created nevertheless: the
 * answer to the commit was lost, or the same request is executed twice at this moment.
 */
async function resolveClaim(deps: ServiceDeps, claim: TeamClaim, isRegistered: boolean): Promise<boolean> {
  if (isRegistered) await rollBackTeam(deps, claim).catch(() => undefined);
  if (await isCreated(deps.database, claim)) return true;
  await expireClaim(deps.database, claim);
  return false;
}
