import { cancelJob } from './cancel-job.ts';
import { cancelJobs } from './cancel-jobs.ts';
import { changeBudget } from './change-budget.ts';
import { completeJob } from './complete-job.ts';
import { createJob } from './create-job.ts';
import { deletePayloads } from './delete-payloads.ts';
import { getCall } from './get-call.ts';
import { getCosts } from './get-costs.ts';
import { getHistogram } from './get-histogram.ts';
import { getJob } from './get-job.ts';
import { getTimeline } from './get-timeline.ts';
import { getTotals } from './get-totals.ts';
import { listJobCalls } from './list-job-calls.ts';
import { listJobs } from './list-jobs.ts';
import { listTeamJobs } from './list-team-jobs.ts';
import { stopCall } from './stop-call.ts';
import { updateMetadata } from './update-metadata.ts';
import { watchCall } from './watch-call.ts';

export const jobRoutes = [
  createJob,
  cancelJobs,
  // These routes are before that of a job, whose path they have too.
  getHistogram,
  getTotals,
  getJob,
  updateMetadata,
  changeBudget,
  completeJob,
  cancelJob,
  deletePayloads,
  getCosts,
  getTimeline,
  listJobCalls,
  getCall,
  watchCall,
  stopCall,
  listJobs,
  listTeamJobs,
];
