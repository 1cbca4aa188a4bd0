import { CreatedTeam, TeamCreation } from '../../../contracts/teams.ts';
import { findCurrentSealedKey } from '../../../db/keys/find-sealed-key.ts';
import { databaseTime } from '../../../db/sql/database-clock.ts';
import { withGrants } from '../../../db/teams/resolve-grants.ts';
import { listGrantedModels } from '../../../db/upstream-teams/list-granted-models.ts';
import { refuse } from '../../../errors.ts';
import type { Deps } from '../../ports.ts';
import { route } from '../../route.ts';
import { getOrganizationForCaller } from '../organizations/support/get-organization-for-caller.ts';
import { getTeamForCaller } from './support/get-team-for-caller.ts';
import { makeTeam } from './support/make-team.ts';
import { newTeam } from './support/team-settings.ts';

export const createTeam = route(
  {
    method: 'post',
    path: '/api/teams/create',
    summary: 'Create a team with its credits, its model groups and its key',
    tag: 'Teams',
    access: { audience: ['admin'] },
    limits: { rate: 'management' },
    secret: true,
    body: { schema: TeamCreation },
    response: CreatedTeam,
    errors: [
      'organization_not_found',
      'organization_not_active',
      'model_group_not_found',
      'access_group_not_found',
      'team_exists',
      'proxy_team_exists',
      'upstream_registration_failed',
    ],
    example: {
      body: { team_alias: 'Research', credits_allocated: 5 },
      response: {
        allowed_models: ['openai/gpt-4o'],
        credits_remaining: 5,
        message: "Team 'acme-research' created successfully",
      },
    },
  },
  async (context) => {
    const { deps, caller, body } = context;
    const team = newTeam(body, await databaseTime(deps.database));
    const organization = await getOrganizationForCaller(deps, caller, body.organization_id);
    const allowed_models = await withGrants(
      deps.database,
      body.model_groups,
      body.access_groups ?? [],
      async (grants) => {
        if (organization.status !== 'active') throw refuse('organization_not_active', body.organization_id);
        const models = await listGrantedModels(deps.database, grants);
        await makeTeam(context, { team, organization, grants, models });
        // The groups as they are by now.
        return (await listGrantedModels(deps.database, grants)).group_models;
      },
    );

    deps.changes.publish('teams', { team_id: team.team_id });
    const made = await getTeamForCaller(deps, caller, team.team_id);
    return {
      ...made,
      allowed_models,
      virtual_key: await currentKey(deps, made.team_id),
      message: `Team '${made.team_id}' created successfully`,
    };
  },
);

/** The current key of a team that this request made, in plain text. */
async function currentKey({ database, secrets }: Deps, teamId: string): Promise<string> {
  const sealed = await findCurrentSealedKey(database, teamId);
  if (!sealed) throw refuse('team_has_no_key', teamId);
  return secrets.open(sealed, teamId);
}
