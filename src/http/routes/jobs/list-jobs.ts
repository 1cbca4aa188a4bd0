import { endOf, JobList, JobListQuery, startOf } from '../../../contracts/job-lists.ts';
import { listJobs as readJobs } from '../../../db/jobs/list-jobs.ts';
import { requireOrganization, requireTeam } from '../../auth/caller.ts';
import { route } from '../../route.ts';
import { serializeJob } from './support/serialize-job.ts';

export const listJobs = route(
  {
    method: 'get',
    path: '/api/jobs',
    summary: 'List jobs',
    description: 'A team sees its own jobs, an admin those of every team. `total` counts all that match.',
    tag: 'Jobs',
    auth: ['team', 'admin'],
    quota: 'lists',
    query: JobListQuery,
    response: JobList,
    errors: ['key_of_another_team', 'key_of_another_organization'],
  },
  async ({ deps, caller, query }) => {
    const { limit, offset, sort_by, order, start_date, end_date, team_id, ...filter } = query;
    if (team_id !== undefined) requireTeam(caller, team_id);
    if (filter.organization_id !== undefined) requireOrganization(caller, filter.organization_id);
    const { total, rows } = await readJobs(
      deps.database,
      {
        ...filter,
        team_id: caller.kind === 'team' ? caller.teamId : team_id,
        created_from: start_date === undefined ? null : startOf(start_date),
        created_before: end_date === undefined ? null : endOf(end_date),
      },
      { sort_by, order, limit, offset },
    );
    return { total, limit, offset, jobs: rows.map(serializeJob) };
  },
);
