import { OrganizationParams, OrganizationTeams } from '../../../contracts/organizations.ts';
import { listTeamIds } from '../../../db/teams/list-teams.ts';
import { route } from '../../route.ts';
import { getOrganizationForCaller } from './support/get-organization-for-caller.ts';

export const listOrganizationTeams = route(
  {
    method: 'get',
    path: '/api/organizations/{organization_id}/teams',
    summary: 'List the teams of an organization, the oldest first',
    tag: 'Organizations',
    auth: ['team', 'admin'],
    quota: 'lists',
    limit: 'management',
    params: OrganizationParams,
    response: OrganizationTeams,
    errors: ['key_of_another_organization', 'organization_not_found'],
  },
  async ({ deps, caller, params }) => {
    const { organization_id } = await getOrganizationForCaller(deps, caller, params.organization_id);
    const teams = await listTeamIds(deps.database, organization_id);
    return { organization_id, team_count: teams.length, teams };
  },
);
