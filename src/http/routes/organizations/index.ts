import { createOrganization } from './create-organization.ts';
import { getOrganization } from './get-organization.ts';

export const organizationRoutes = [createOrganization, getOrganization];
