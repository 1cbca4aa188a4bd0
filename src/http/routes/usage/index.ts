import { getOrganizationUsage } from './get-organization-usage.ts';
import { getTeamUsage } from './get-team-usage.ts';

export const usageRoutes = [getTeamUsage, getOrganizationUsage];
