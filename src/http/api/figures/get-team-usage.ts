import { TeamParams } from '../../../contracts/teams.ts';
import { TeamUsage, UsageQuery } from '../../../contracts/usage.ts';
import { getTeamUsage as get } from '../../../services/figures/get-usage.ts';
import { route } from '../../route.ts';
import { serializeTeamUsage } from './serialize-usage.ts';

export const getTeamUsage = route(
  {
    operationId: 'getTeamUsage',
    method: 'get',
    path: '/api/teams/{team_id}/usage',
    summary: "Read a team's usage in a month",
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    params: TeamParams,
    limits: { rate: 'management', place: 'lists' },
    query: UsageQuery,
    response: TeamUsage.meta({
      example: {
        summary: {
          total_jobs: 42,
          successful_jobs: 39,
          failed_jobs: 2,
          cancelled_jobs: 1,
          total_cost_usd: 0.0189,
          total_tokens: 3_860,
          avg_cost_per_job: 0.00045,
        },
        job_types: {
          summarize_report: { count: 30, cost_usd: 0.0129 },
          translate_letter: { count: 12, cost_usd: 0.006 },
        },
      },
    }),
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async (context) => {
    const { team_id } = context.params;
    const { period } = context.query;
    return serializeTeamUsage({ team_id, period }, await get(context, team_id, period));
  },
);
