import { streamCall } from '../../../calls/stream-call.ts';
import { CallRequest, Chunk } from '../../../contracts/calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { route } from '../../route.ts';
import { callContext, callRequest } from './support/call-request.ts';
import { chunkEvents, eventStream, refusalsInJob } from './support/call-response.ts';

export const makeStreamedCall = route(
  {
    method: 'post',
    path: '/api/jobs/{job_id}/llm-call-stream',
    summary: 'Make an LLM call in a job and stream its answer',
    description:
      'Refusals are ordinary JSON. Once the call is accepted the answer is an event stream: chunks; when the call fails, an ' +
      'event `{"error": {"message", "type", "code"}}`; and in any case `[DONE]`. The `code` is `call_failed`, `job_finished`, ' +
      '`unavailable`, or `stream_lost`; with each the call is over and free. A comment is sent when nothing else was for 15 s. A client ' +
      'that goes away changes nothing.',
    tag: 'LLM calls',
    access: { audience: ['team'] },
    params: JobParams,
    body: { schema: CallRequest },
    makesCall: true,
    streams: chunkEvents,
    response: Chunk,
    responseHeaders: ['X-Ignored-Fields'],
    errors: refusalsInJob,
    example: { body: { purpose: 'summary', max_tokens: 200 } },
  },
  async (context) => {
    const { params, body } = context;
    const request = callRequest(body.model_group, body, body.call_metadata);
    return eventStream(
      request,
      await streamCall(callContext(context), request, { kind: 'open_job', jobId: params.job_id }),
    );
  },
);
