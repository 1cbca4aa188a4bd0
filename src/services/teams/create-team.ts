import type { TeamCreation } from '../../contracts/teams.ts';
import { findCurrentSealedKey } from '../../db/keys/find-sealed-key.ts';
import { databaseTime } from '../../db/sql/database-clock.ts';
import type { TeamRow } from '../../db/teams/find-team.ts';
import { listGrantedModels } from '../../db/upstream-teams/list-granted-models.ts';
import { refuse } from '../../errors.ts';
import type { ServiceContext } from '../context.ts';
import { getOrganizationForCaller } from '../organizations/read-organizations.ts';
import { makeTeam } from './make-team.ts';
import { getTeamForCaller } from './read-teams.ts';
import { newTeam } from './team-settings.ts';
import { withGrants } from './with-grants.ts';

export interface CreatedTeam {
  team: TeamRow;
  /** The concrete models that its model groups resolve to. */
  allowedModels: string[];
  virtualKey: string;
}

/** Creates a team with its credits, its groups and its key, here and at the upstream. `is_test`: it is that of the playground. */
export async function createTeam(
  context: ServiceContext,
  creation: TeamCreation & { is_test?: true },
): Promise<CreatedTeam> {
  const { deps } = context;
  const { organization_id, model_groups, access_groups } = creation;
  const planned = newTeam(creation, await databaseTime(deps.database));
  const organization = await getOrganizationForCaller(context, organization_id);
  const allowedModels = await withGrants(deps.database, model_groups, access_groups ?? [], async (grants) => {
    if (organization.status !== 'active') throw refuse('organization_not_active', organization_id);
    const models = await listGrantedModels(deps.database, grants);
    await makeTeam(context, { team: planned, organization, grants, models });
    // The groups as they are by now.
    return (await listGrantedModels(deps.database, grants)).group_models;
  });

  deps.changes.publish('teams', { team_id: planned.team_id });
  const team = await getTeamForCaller(context, planned.team_id);
  return { team, allowedModels, virtualKey: await currentKey(context, team.team_id) };
}

/** The current key of a team that this request made, in plain text. */
async function currentKey({ deps: { database, secrets } }: ServiceContext, teamId: string): Promise<string> {
  const sealed = await findCurrentSealedKey(database, teamId);
  if (!sealed) throw refuse('team_has_no_key', teamId);
  return secrets.open(sealed, teamId);
}
