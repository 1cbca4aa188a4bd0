import { admitToJob } from '../../../calls/admit-call.ts';
import { runCall } from '../../../calls/run-call.ts';
import { CallAnswer, CallRequest } from '../../../contracts/calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { route } from '../../route.ts';
import { serializeModelResponse, succeeded } from './call-answers.ts';
import { refusalsInJob } from './refusals.ts';

export const makeCall = route(
  {
    method: 'post',
    path: '/api/jobs/{job_id}/llm-call',
    summary: 'Make an LLM call in a job',
    description:
      'The first call moves a pending job to in_progress. A failed call leaves the job open, and makes it free.',
    tag: 'LLM calls',
    auth: ['team'],
    params: JobParams,
    body: CallRequest,
    makesCall: true,
    response: CallAnswer,
    errors: [...refusalsInJob, 'call_failed'],
    example: { body: { purpose: 'summary', max_tokens: 200 } },
  },
  async (context) => {
    const { params, body } = context;
    const { call, end } = await runCall(context, body, () =>
      admitToJob(context, params.job_id, body, { streamed: false }),
    );
    const answered = succeeded(end);
    return {
      call_id: call.callId,
      response: serializeModelResponse(answered),
      metadata: {
        tokens_used: answered.usage.totalTokens,
        latency_ms: answered.latencyMs,
        model_group: body.model_group,
      },
    };
  },
);
