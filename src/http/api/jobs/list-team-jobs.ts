import { TeamJobs, TeamJobsQuery } from '../../../contracts/job-lists.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listJobs } from '../../../db/jobs/list-jobs.ts';
import { requireOwnTeam } from '../../../services/teams/read-teams.ts';
import { route } from '../../route.ts';

export const listTeamJobs = route(
  {
    method: 'get',
    path: '/api/teams/{team_id}/jobs',
    summary: "List a team's jobs, newest first",
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    params: TeamParams,
    limits: { rate: 'management', place: 'lists' },
    query: TeamJobsQuery,
    response: TeamJobs,
    errors: ['key_of_another_team', 'team_not_found'],
  },
  async ({ deps, caller, params: { team_id }, query: { limit, offset, status } }) => {
    await requireOwnTeam({ deps, caller }, team_id);
    const page = { sort_by: 'created_at', order: 'desc', limit, offset } as const;
    const { total, rows } = await listJobs(deps.database, { team_id, status }, page);
    return {
      team_id,
      total: total!,
      jobs: rows.map((job) => ({
        job_id: job.job_id,
        job_type: job.job_type,
        status: job.status,
        created_at: job.created_at.toISOString(),
        completed_at: job.completed_at?.toISOString() ?? null,
        credit_applied: job.credit_applied,
      })),
    };
  },
);
