import {
  OrganizationParams,
  OrganizationTeam,
  OrganizationTeams,
  OrganizationTeamsQuery,
} from '../../../contracts/organizations.ts';
import { listTeamsOfOrganization } from '../../../services/organizations/read-organizations.ts';
import { route } from '../../route.ts';

export const listOrganizationTeams = route(
  {
    operationId: 'listOrganizationTeams',
    method: 'get',
    path: '/api/organizations/{organization_id}/teams',
    summary: 'List the teams of an organization, the oldest first',
    tag: 'Organizations',
    access: { audience: ['team', 'admin'] },
    params: OrganizationParams,
    limits: { rate: 'management', place: 'lists' },
    query: OrganizationTeamsQuery,
    response: OrganizationTeams,
    csv: { name: 'teams', row: OrganizationTeam, rows: ({ teams }) => teams.map((team_id) => ({ team_id })) },
    errors: ['key_of_another_organization', 'organization_not_found'],
  },
  async (context) => {
    const { organization_id } = context.params;
    const teams = await listTeamsOfOrganization(context, organization_id);
    return { organization_id, team_count: teams.length, teams };
  },
);
