import { OrganizationParams } from '../../../contracts/organizations.ts';
import { OrganizationUsage, UsageQuery } from '../../../contracts/usage.ts';
import { readOrganizationUsage } from '../../../db/usage/read-organization-usage.ts';
import { sumOf } from '../../../domain/pricing.ts';
import { monthOf } from '../../../domain/time/month.ts';
import { getOrganizationForCaller } from '../../../services/organizations/read-organizations.ts';
import { route } from '../../route.ts';
import { total } from './support/total.ts';

export const getOrganizationUsage = route(
  {
    method: 'get',
    path: '/api/organizations/{organization_id}/usage',
    summary: "Read an organization's usage in a month, team by team",
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    params: OrganizationParams,
    limits: { rate: 'management', place: 'lists' },
    query: UsageQuery,
    response: OrganizationUsage,
    errors: ['key_of_another_organization', 'organization_not_found'],
    example: {
      response: {
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
    },
  },
  async (context) => {
    const { deps, params, query } = context;
    const { organization_id } = await getOrganizationForCaller(context, params.organization_id);
    const { period } = query;
    const teams = await readOrganizationUsage(deps.database, organization_id, monthOf(period));
    return {
      organization_id,
      period,
      summary: {
        total_jobs: total(teams, 'total_jobs'),
        completed_jobs: total(teams, 'completed_jobs'),
        failed_jobs: total(teams, 'failed_jobs'),
        cancelled_jobs: total(teams, 'cancelled_jobs'),
        credits_used: total(teams, 'credits_used'),
        total_cost_usd: Number(sumOf(teams.map((team) => team.total_cost_usd))),
        total_tokens: total(teams, 'total_tokens'),
      },
      teams: Object.fromEntries(
        teams.map((team) => [team.team_id, { jobs: team.total_jobs, credits_used: team.credits_used }]),
      ),
    };
  },
);
