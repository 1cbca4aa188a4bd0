import { admitSingle } from '../../../calls/admit-call.ts';
import { jobResult } from '../../../calls/job-result.ts';
import { runCall } from '../../../calls/run-call.ts';
import { SingleCallAnswer, SingleCallRequest } from '../../../contracts/calls.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { costsOf } from '../jobs/serialize-job.ts';
import { serializeModelResponse, succeeded } from './call-answers.ts';
import { refusalsOfSingle } from './refusals.ts';

export const createAndCall = route(
  {
    method: 'post',
    path: '/api/jobs/create-and-call',
    summary: 'Create a job, make its one call and complete it',
    description: 'A call that fails makes the job failed and costs nothing.',
    tag: 'Single-call jobs',
    auth: ['team'],
    body: SingleCallRequest,
    makesCall: true,
    response: SingleCallAnswer,
    errors: [...refusalsOfSingle, 'call_failed', 'job_finished'],
    example: { body: { purpose: 'summary', max_tokens: 200, job_metadata: { cost_center: 'FIN-204' } } },
  },
  async (context) => {
    const { deps, body } = context;
    const { call, end } = await runCall(context, body, () => admitSingle(context, body, { streamed: false }));
    // The job's end first, also for a failed call: a client that reads the job after the answer must find it ended.
    const { status, completed_at, ...result } = await jobResult(deps, call.job.job_id, end);
    const answered = succeeded(end);
    // The job was ended otherwise, such as cancelled, while the call ran.
    if (status !== 'completed') throw refuse('job_finished', status);
    return {
      job_id: call.job.job_id,
      status,
      response: serializeModelResponse(answered),
      metadata: { tokens_used: answered.usage.totalTokens, latency_ms: answered.latencyMs, model: body.model },
      costs: costsOf(result),
      completed_at,
    };
  },
);
