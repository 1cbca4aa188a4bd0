import { OrganizationParams } from '../../../contracts/organizations.ts';
import { OrganizationUsage, UsageQuery } from '../../../contracts/usage.ts';
import { getOrganizationUsage as get } from '../../../services/figures/get-usage.ts';
import { route } from '../../route.ts';
import { serializeOrganizationUsage } from './serialize-usage.ts';

export const getOrganizationUsage = route(
  {
    operationId: 'getOrganizationUsage',
    method: 'get',
    path: '/api/organizations/{organization_id}/usage',
    summary: "Read an organization's usage in a month, team by team",
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    params: OrganizationParams,
    limits: { rate: 'management', place: 'lists' },
    query: UsageQuery,
    response: OrganizationUsage.meta({
      example: {
        summary: {
          total_jobs: 60,
          completed_jobs: 56,
          failed_jobs: 3,
          cancelled_jobs: 1,
          credits_used: 56,
          total_cost_usd: 0.0264,
          total_tokens: 5_420,
        },
        teams: {
          'acme-research': { jobs: 42, credits_used: 39 },
          'acme-support': { jobs: 18, credits_used: 17 },
        },
      },
    }),
    errors: ['key_of_another_organization', 'organization_not_found'],
  },
  async (context) => {
    const { organization_id } = context.params;
    const { period } = context.query;
    return serializeOrganizationUsage({ organization_id, period }, await get(context, organization_id, period));
  },
);
