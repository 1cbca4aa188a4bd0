import type { z } from 'zod';
import type { JobCreation } from '../../contracts/jobs.ts';
import type { NewJob } from '../../db/jobs/insert-job.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';

type JobFields = Omit<z.output<typeof JobCreation>, 'team_id'>;

/** The requested job, of the caller's team. */
export function newJob({ caller, newId }: Pick<ServiceContext, 'caller' | 'newId'>, fields: JobFields): NewJob {
  const team = requireTeamCaller(caller);
  return {
    job_id: newId('job'),
    team_id: team.teamId,
    organization_id: team.organizationId,
    user_id: fields.user_id ?? null,
    job_type: fields.job_type,
    external_task_id: fields.external_task_id ?? null,
    metadata: fields.metadata ?? {},
    key_id: team.key.id,
    ...(fields.budget && { budget: fields.budget }),
  };
}
