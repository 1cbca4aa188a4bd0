import type { JobStatus } from '../../domain/job-state.ts';
import type { NewJob } from './insert-job.ts';

/** What is needed to start the workflow again if its start was lost. */
export interface JobStartRow extends Omit<NewJob, 'budget'> {
  status: JobStatus;
  model_groups_used: string[];
  created_at: Date;
  started_at: Date | null;
  updated_at: Date;
  single_call: boolean;
  /** A call made it for its task. */
  for_task: boolean;
  /** When the job ends by its deadline. Only where its workflow may have to start: absent elsewhere, and without a deadline. */
  cutoff_at?: Date | null;
}

/** The columns of `JobStartRow`, of the table `jobs`. */
export const jobStartColumns = `job_id, team_id, organization_id, user_id, job_type, external_task_id, status, metadata,
   key_id, model_groups_used, created_at, started_at, updated_at, single_call, for_task`;

/** The row of a job that was just inserted. */
export const newJobStartRow = (
  job: NewJob & Pick<JobStartRow, 'created_at' | 'single_call' | 'cutoff_at'>,
): JobStartRow => ({
  ...job,
  for_task: false,
  status: 'pending',
  model_groups_used: [],
  started_at: null,
  updated_at: job.created_at,
});

/** The row as JSON of PostgreSQL. */
export type JobStartJson = Omit<JobStartRow, 'created_at' | 'started_at' | 'updated_at'> &
  Record<'created_at' | 'updated_at', string> & { started_at: string | null };

export const toJobStartRow = (json: JobStartJson): JobStartRow => ({
  ...json,
  created_at: new Date(json.created_at),
  updated_at: new Date(json.updated_at),
  started_at: json.started_at ? new Date(json.started_at) : null,
});
