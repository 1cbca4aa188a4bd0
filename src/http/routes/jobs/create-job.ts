import { CreatedJob, JobCreation } from '../../../contracts/jobs.ts';
import { insertJob } from '../../../db/queries/insert-job.ts';
import { refuse } from '../../../errors.ts';
import { requireTeam, teamOf } from '../../caller.ts';
import { route } from '../../route.ts';

export const createJob = route(
  {
    method: 'post',
    path: '/api/jobs/create',
    summary: 'Create a job',
    tag: 'Jobs',
    auth: ['team'],
    body: JobCreation,
    response: CreatedJob,
    errors: ['key_of_another_team', 'insufficient_credits'],
  },
  async ({ deps, caller, body, newId }) => {
    const team = teamOf(caller);
    requireTeam(team, body.team_id);
    const job = {
      job_id: newId('job'),
      team_id: team.teamId,
      organization_id: team.organizationId,
      user_id: body.user_id ?? null,
      job_type: body.job_type,
      external_task_id: body.external_task_id ?? null,
      metadata: body.metadata ?? {},
    };
    const inserted = await insertJob(deps.database, job);
    if (!inserted) throw refuse('insufficient_credits');
    const { created_at, delivery_ids } = inserted;
    await deps.jobs.start({
      ...job,
      status: 'pending',
      model_groups_used: [],
      created_at,
      started_at: null,
      updated_at: created_at,
      single_call: false,
    });
    deps.deliveries.start(delivery_ids);
    return { job_id: job.job_id, status: 'pending' as const, created_at: created_at.toISOString() };
  },
);
