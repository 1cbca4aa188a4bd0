import { resultOfJob } from '../../../calls/job-result.ts';
import { runCall } from '../../../calls/run-call.ts';
import { SingleCallRequest, SingleCallResponse } from '../../../contracts/calls.ts';
import { refuse } from '../../../errors.ts';
import { route } from '../../route.ts';
import { serializeCosts } from '../jobs/serialize-job.ts';
import { callContext, callRequest, singleCallJob } from './support/call-request.ts';
import { answerOf, refusalsOfSingle, serializeModelResponse } from './support/call-response.ts';

export const createAndCall = route(
  {
    method: 'post',
    path: '/api/jobs/create-and-call',
    summary: 'Create a job, make its one call and complete it',
    description: 'A call that fails makes the job failed and costs nothing.',
    tag: 'Single-call jobs',
    access: { audience: ['team'] },
    body: { schema: SingleCallRequest },
    makesCall: true,
    response: SingleCallResponse,
    responseHeaders: ['X-Ignored-Fields'],
    errors: [...refusalsOfSingle, 'call_failed', 'job_finished'],
    example: { body: { purpose: 'summary', max_tokens: 200, job_metadata: { cost_center: 'FIN-204' } } },
  },
  async (context) => {
    const { deps, body, disconnected } = context;
    const newJob = singleCallJob(context, body);
    const { result } = await runCall(callContext(context), callRequest(body.model, body), {
      kind: 'single_call',
      newJob,
    });
    // The job's result first, also for a failed call: a client that reads the job after the answer finds it ended.
    const { status, completed_at, ...totals } = await resultOfJob(deps, newJob.job_id, result, disconnected);
    const answer = answerOf(result);
    // The job was ended in another way, such as cancelled, while the call ran.
    if (status !== 'completed') throw refuse('job_finished', status);
    return {
      job_id: newJob.job_id,
      status,
      response: serializeModelResponse(answer),
      metadata: { tokens_used: answer.usage.totalTokens, latency_ms: answer.latencyMs, model: body.model },
      costs: serializeCosts(totals),
      completed_at,
    };
  },
);
