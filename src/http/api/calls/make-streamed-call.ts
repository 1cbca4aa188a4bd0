import { CallRequest, Chunk } from '../../../contracts/calls.ts';
import { AcceptedCall } from '../../../contracts/job-calls.ts';
import { JobParams } from '../../../contracts/jobs.ts';
import { makeStreamedCall as make } from '../../../services/calls/make-call.ts';
import { callHeaders } from '../../call-headers.ts';
import { route } from '../../route.ts';
import { newStreamRecord } from '../../stream/event-stream.ts';
import { acceptStream, preferenceOf } from './accepted-call.ts';
import { toModelRequest } from './call-body.ts';
import { refusalsInJob } from './call-response.ts';
import { chunkEvents, chunkStream } from './chunks.ts';

export const makeStreamedCall = route(
  {
    operationId: 'streamCallInJob',
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
    body: { schema: CallRequest.meta({ example: { purpose: 'summary', max_tokens: 200 } }) },
    makesCall: true,
    streams: chunkEvents,
    response: Chunk,
    accepted: AcceptedCall,
    errors: refusalsInJob,
  },
  async (context) => {
    const { params, body } = context;
    const request = toModelRequest(context, body.model_group, body, body.call_metadata);
    const target = { kind: 'open_job', jobId: params.job_id } as const;
    const toMake = { request, target, observer: callHeaders(context) };
    if (preferenceOf(context)) return acceptStream(context, toMake);
    const { call, outputs } = await make(context, toMake);
    return chunkStream(newStreamRecord(call, request.model), outputs);
  },
);
