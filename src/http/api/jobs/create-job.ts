import { CreatedJob, JobCreation } from '../../../contracts/jobs.ts';
import { insertJob } from '../../../db/jobs/insert-job.ts';
import { newJobStartRow } from '../../../db/jobs/job-start-row.ts';
import { refuse } from '../../../errors.ts';
import { storageOfJob, storageOfMetadata } from '../../../holders/stored-bytes.ts';
import { requireTeam } from '../../../services/caller.ts';
import { route } from '../../route.ts';
import { newJob } from './support/new-job.ts';

export const createJob = route(
  {
    method: 'post',
    path: '/api/jobs/create',
    summary: 'Create a job',
    tag: 'Jobs',
    access: { audience: ['team'] },
    limits: { place: 'jobCommands' },
    body: { schema: JobCreation },
    response: CreatedJob,
    errors: ['key_of_another_team', 'insufficient_credits'],
    example: {
      body: { user_id: 'user-17', external_task_id: 'task-4711', metadata: { cost_center: 'FIN-204' } },
    },
  },
  async (context) => {
    const { deps, caller, body } = context;
    requireTeam(caller, body.team_id);
    deps.jobs.requireWorkers();
    const job = newJob(context, body);
    // Calls have a limit that bounds the jobs that are made for them; these have none. Nor is metadata refused that comes with the end.
    deps.storedBytes.require(job.team_id, storageOfJob + storageOfMetadata(job.metadata));
    const inserted = await insertJob(deps.database, job);
    if (!inserted) throw refuse('insufficient_credits');
    const { created_at, delivery_ids } = inserted;
    await deps.jobs.start(newJobStartRow({ ...job, created_at, single_call: false }));
    deps.deliveries.start(job.team_id, delivery_ids);
    deps.changes.publish('jobs', { job_id: job.job_id, team_id: job.team_id, status: 'pending' });
    return { job_id: job.job_id, status: 'pending' as const, created_at: created_at.toISOString() };
  },
);
