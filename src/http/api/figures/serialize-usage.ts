import type { z } from 'zod';
import type { OrganizationUsage, TeamUsage } from '../../../contracts/usage.ts';
import type { UsageOfTeam } from '../../../db/figures/read-organization-usage.ts';
import type { JobTypeUsage } from '../../../db/figures/read-team-usage.ts';
import { averageUsd, sumUsd } from '../../../domain/pricing.ts';

/** The sum of a field of whole numbers: jobs, tokens, credits. */
const total = <Field extends string>(rows: readonly Record<Field, number>[], field: Field): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

export function serializeTeamUsage(
  team: { team_id: string; period: string },
  types: readonly JobTypeUsage[],
): z.input<typeof TeamUsage> {
  const costUsd = sumUsd(types.map((type) => type.total_cost_usd));
  const total_jobs = total(types, 'total_jobs');
  return {
    ...team,
    summary: {
      total_jobs,
      successful_jobs: total(types, 'completed_jobs'),
      failed_jobs: total(types, 'failed_jobs'),
      cancelled_jobs: total(types, 'cancelled_jobs'),
      total_cost_usd: Number(costUsd),
      total_tokens: total(types, 'total_tokens'),
      avg_cost_per_job: Number(averageUsd(costUsd, total_jobs)),
    },
    job_types: Object.fromEntries(
      types.map((type) => [type.job_type, { count: type.total_jobs, cost_usd: Number(type.total_cost_usd) }]),
    ),
  };
}

export const serializeOrganizationUsage = (
  organization: { organization_id: string; period: string },
  teams: readonly UsageOfTeam[],
): z.input<typeof OrganizationUsage> => ({
  ...organization,
  summary: {
    total_jobs: total(teams, 'total_jobs'),
    completed_jobs: total(teams, 'completed_jobs'),
    failed_jobs: total(teams, 'failed_jobs'),
    cancelled_jobs: total(teams, 'cancelled_jobs'),
    credits_used: total(teams, 'credits_used'),
    total_cost_usd: Number(sumUsd(teams.map((team) => team.total_cost_usd))),
    total_tokens: total(teams, 'total_tokens'),
  },
  teams: Object.fromEntries(
    teams.map((team) => [team.team_id, { jobs: team.total_jobs, credits_used: team.credits_used }]),
  ),
});
