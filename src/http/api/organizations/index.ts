import { createOrganization } from './create-organization.ts';
import { getOrganization } from './get-organization.ts';
import { listOrganizationTeams } from './list-organization-teams.ts';
import { listOrganizations } from './list-organizations.ts';
import { updateOrganization } from './update-organization.ts';

export const organizationRoutes = [
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  listOrganizationTeams,
];
