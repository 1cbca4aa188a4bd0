import { SingleCallRequest, SingleCallResponse } from '../../../contracts/calls.ts';
import { AcceptedCall } from '../../../contracts/job-calls.ts';
import { callError } from '../../../domain/call-state.ts';
import { stopped } from '../../../domain/finish-reason.ts';
import { refuse } from '../../../errors.ts';
import { makeCall } from '../../../services/calls/make-call.ts';
import { callHeaders } from '../../call-headers.ts';
import { Accepted } from '../../reply.ts';
import { route } from '../../route.ts';
import { serializeCosts } from '../jobs/serialize-job.ts';
import { callAsPreferred } from './accepted-call.ts';
import { singleCallJob, toModelRequest } from './call-body.ts';
import { refusalsOfSingle, requireAnswer, serializeModelResponse } from './call-response.ts';

export const createAndCall = route(
  {
    operationId: 'createAndCall',
    method: 'post',
    path: '/api/jobs/create-and-call',
    summary: 'Create a job, make its one call and complete it',
    description: 'A call that fails makes the job failed and costs nothing.',
    tag: 'Single-call jobs',
    access: { audience: ['team'] },
    body: {
      schema: SingleCallRequest.meta({
        example: { purpose: 'summary', max_tokens: 200, job_metadata: { cost_center: 'FIN-204' } },
      }),
    },
    makesCall: true,
    response: SingleCallResponse,
    accepted: AcceptedCall,
    errors: [...refusalsOfSingle, 'call_failed', 'job_finished'],
  },
  async (context) => {
    const { body } = context;
    const target = singleCallJob(context, body);
    const request = toModelRequest(context, body.model, body);
    const toMake = { request, target, observer: callHeaders(context) };
    const made = await callAsPreferred(context, toMake, () => makeCall(context, toMake));
    if (made instanceof Accepted) return made;
    const { call, result, jobResult } = made;
    if (result.status === 'failed' && result.error === callError.deadline) throw refuse('job_finished', 'failed');
    const answer = requireAnswer(result);
    const { status, completed_at, ...totals } = jobResult!;
    // The job was ended in another way, such as cancelled, while the call ran.
    const isStopped = status === 'cancelled' && answer.finishReason === stopped;
    if (status !== 'completed' && !isStopped) throw refuse('job_finished', status);
    return {
      job_id: call.jobId,
      status,
      response: serializeModelResponse(answer),
      metadata: { tokens_used: answer.usage.totalTokens, latency_ms: answer.latencyMs, model: body.model },
      costs: serializeCosts(totals),
      completed_at,
    };
  },
);
