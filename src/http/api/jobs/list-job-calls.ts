import { encodeCursor } from '../../../contracts/cursor.ts';
import { CallRecord, JobCalls, JobCallsQuery } from '../../../contracts/job-calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { listJobCalls as readCalls } from '../../../db/calls/list-job-calls.ts';
import { route } from '../../route.ts';
import { getJobForCaller } from './support/get-job-for-caller.ts';
import { callsForCaller } from './support/serialize-call.ts';

export const listJobCalls = route(
  {
    method: 'get',
    path: '/api/jobs/{job_id}/calls',
    summary: 'List the calls of a job, in the order in which they were made',
    description: 'Also those that are queued or running, and those that were refused or retracted.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    params: JobParams,
    query: JobCallsQuery,
    response: JobCalls,
    csv: { name: 'calls', row: CallRecord, rows: ({ calls }) => calls },
    errors: ['job_of_another_team', 'job_not_found'],
    example: { response: { next_cursor: null } },
  },
  async ({ deps, caller, params, query }) => {
    const { job_id } = await getJobForCaller(deps, caller, params.job_id);
    const { total, rows, next } = await readCalls(deps.database, job_id, query);
    const calls = await callsForCaller(deps, caller, rows);
    return { job_id, total, calls, next_cursor: next && encodeCursor(next) };
  },
);
