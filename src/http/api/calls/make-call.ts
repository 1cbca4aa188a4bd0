import { CallRequest, CallResponse } from '../../../contracts/calls.ts';
import { AcceptedCall } from '../../../contracts/job-calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { makeCall as make } from '../../../services/calls/make-call.ts';
import { callHeaders } from '../../call-headers.ts';
import { Accepted } from '../../reply.ts';
import { route } from '../../route.ts';
import { callAsPreferred } from './accepted-call.ts';
import { toModelRequest } from './call-body.ts';
import { refusalsInJob, requireAnswer, serializeModelResponse } from './call-response.ts';

export const makeCall = route(
  {
    operationId: 'callInJob',
    method: 'post',
    path: '/api/jobs/{job_id}/llm-call',
    summary: 'Make an LLM call in a job',
    description:
      'The first call moves a pending job to in_progress. A failed call leaves the job open, and makes it free.',
    tag: 'LLM calls',
    access: { audience: ['team'] },
    params: JobParams,
    body: { schema: CallRequest.meta({ example: { purpose: 'summary', max_tokens: 200 } }) },
    makesCall: true,
    response: CallResponse,
    accepted: AcceptedCall,
    errors: [...refusalsInJob, 'call_failed'],
  },
  async (context) => {
    const { params, body } = context;
    const request = toModelRequest(context, body.model_group, body, body.call_metadata);
    const target = { kind: 'open_job', jobId: params.job_id } as const;
    const toMake = { request, target, observer: callHeaders(context) };
    const made = await callAsPreferred(context, toMake, () => make(context, toMake));
    if (made instanceof Accepted) return made;
    const { call, result } = made;
    const answer = requireAnswer(result);
    return {
      call_id: call.callId,
      response: serializeModelResponse(answer),
      metadata: {
        tokens_used: answer.usage.totalTokens,
        latency_ms: answer.latencyMs,
        model_group: body.model_group,
      },
    };
  },
);
