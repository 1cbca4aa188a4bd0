import type { z } from 'zod';
import type { JobCreation } from '../../../../contracts/jobs.ts';
import type { NewJob } from '../../../../db/jobs/insert-job.ts';
import { teamOf } from '../../../auth/caller.ts';
import type { RequestContext } from '../../../route.ts';

type Asked = Omit<z.output<typeof JobCreation>, 'team_id'>;

/** The job that a request asks for, of the caller's own team. */
export function newJob({ caller, newId }: RequestContext, asked: Asked): NewJob {
  const team = teamOf(caller);
  return {
    job_id: newId('job'),
    team_id: team.teamId,
    organization_id: team.organizationId,
    user_id: asked.user_id ?? null,
    job_type: asked.job_type,
    external_task_id: asked.external_task_id ?? null,
    metadata: asked.metadata ?? {},
  };
}
