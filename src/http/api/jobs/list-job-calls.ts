import { encodeCursor } from '../../../contracts/cursor.ts';
import { CallRecord, JobCalls, JobCallsQuery } from '../../../contracts/job-calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { listJobCalls as list } from '../../../services/calls/list-job-calls.ts';
import { route } from '../../route.ts';
import { serializeCall } from './serialize-call.ts';

export const listJobCalls = route(
  {
    operationId: 'listJobCalls',
    method: 'get',
    path: '/api/jobs/{job_id}/calls',
    summary: 'List the calls of a job, in the order in which they were made',
    description: 'Also those that are queued or running, and those that were refused.',
    tag: 'Jobs',
    access: { audience: ['team', 'admin'] },
    limits: { place: 'lists' },
    params: JobParams,
    query: JobCallsQuery,
    response: JobCalls.meta({ example: { next_cursor: null } }),
    csv: { name: 'calls', row: CallRecord, rows: ({ calls }) => calls },
    errors: ['job_of_another_team', 'job_not_found'],
  },
  async (context) => {
    const { jobId, total, calls, next } = await list(context, context.params.job_id, context.query);
    return { job_id: jobId, total, calls: calls.map(serializeCall), next_cursor: next && encodeCursor(next) };
  },
);
