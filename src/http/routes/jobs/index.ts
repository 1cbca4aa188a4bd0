import { cancelJob } from './cancel-job.ts';
import { completeJob } from './complete-job.ts';
import { createJob } from './create-job.ts';
import { getCosts } from './get-costs.ts';
import { getJob } from './get-job.ts';
import { listJobs } from './list-jobs.ts';
import { listTeamJobs } from './list-team-jobs.ts';
import { updateMetadata } from './update-metadata.ts';

export const jobRoutes = [createJob, getJob, updateMetadata, completeJob, cancelJob, getCosts, listJobs, listTeamJobs];
