import { TeamJobs, TeamJobsQuery } from '../../../contracts/job-lists.ts';
import { TeamParams } from '../../../contracts/teams.ts';
import { listTeamJobs as list } from '../../../services/jobs/list-jobs.ts';
import { route } from '../../route.ts';
import { serializeTeamJob } from './serialize-job.ts';

export const listTeamJobs = route(
  {
    operationId: 'listTeamJobs',
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
  async (context) => {
    const { team_id } = context.params;
    const { total, rows } = await list(context, team_id, context.query);
    return { team_id, total: total!, jobs: rows.map(serializeTeamJob) };
  },
);
