import { TeamParams } from '../../../contracts/teams.ts';
import { TeamUsage, UsageQuery } from '../../../contracts/usage.ts';
import { readTeamUsage } from '../../../db/usage/read-team-usage.ts';
import { averageOf, sumOf } from '../../../domain/pricing.ts';
import { monthOf } from '../../../domain/time/month.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import { route } from '../../route.ts';
import { total } from './support/total.ts';

export const getTeamUsage = route(
  {
    method: 'get',
    path: '/api/teams/{team_id}/usage',
    summary: "Read a team's usage in a month",
    tag: 'Usage',
    access: { audience: ['team', 'admin'] },
    params: TeamParams,
    limits: { rate: 'management', place: 'lists' },
    query: UsageQuery,
    response: TeamUsage,
    errors: ['key_of_another_team', 'team_not_found'],
    example: {
      response: {
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
    },
  },
  async ({ deps, caller, params, query }) => {
    const { team_id } = params;
    const { period } = query;
    await requireOwnTeam({ deps, caller }, team_id);
    const types = await readTeamUsage(deps.database, team_id, monthOf(period));
    const costUsd = sumOf(types.map((type) => type.total_cost_usd));
    const total_jobs = total(types, 'total_jobs');
    return {
      team_id,
      period,
      summary: {
        total_jobs,
        successful_jobs: total(types, 'completed_jobs'),
        failed_jobs: total(types, 'failed_jobs'),
        cancelled_jobs: total(types, 'cancelled_jobs'),
        total_cost_usd: Number(costUsd),
        total_tokens: total(types, 'total_tokens'),
        avg_cost_per_job: Number(averageOf(costUsd, total_jobs)),
      },
      job_types: Object.fromEntries(
        types.map((type) => [type.job_type, { count: type.total_jobs, cost_usd: Number(type.total_cost_usd) }]),
      ),
    };
  },
);
