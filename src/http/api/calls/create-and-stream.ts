import { Chunk, SingleCallRequest } from '../../../contracts/calls.ts';
import { AcceptedCall } from '../../../contracts/job-calls.ts';
import { makeStreamedCall } from '../../../services/calls/make-call.ts';
import { callHeaders } from '../../call-headers.ts';
import { route } from '../../route.ts';
import { newStreamRecord } from '../../stream/event-stream.ts';
import { acceptStream, preferenceOf } from './accepted-call.ts';
import { singleCallJob, toModelRequest } from './call-body.ts';
import { refusalsOfSingle } from './call-response.ts';
import { chunkEvents, chunkStream } from './chunks.ts';

export const createAndStream = route(
  {
    operationId: 'createAndStreamCall',
    method: 'post',
    path: '/api/jobs/create-and-call-stream',
    summary: 'Create a job, stream its one call and complete it',
    description:
      'The events are those of `llm-call-stream`. At `[DONE]` the job has ended and the credit is deducted, unless an error came ' +
      'before it. A client that goes away changes nothing.',
    tag: 'Single-call jobs',
    access: { audience: ['team'] },
    body: {
      schema: SingleCallRequest.meta({
        example: { purpose: 'summary', max_tokens: 200, job_metadata: { cost_center: 'FIN-204' } },
      }),
    },
    makesCall: true,
    streams: chunkEvents,
    response: Chunk,
    accepted: AcceptedCall,
    errors: [...refusalsOfSingle, 'job_finished'],
  },
  async (context) => {
    const { body } = context;
    const request = toModelRequest(context, body.model, body);
    const target = singleCallJob(context, body);
    const toMake = { request, target, observer: callHeaders(context) };
    if (preferenceOf(context)) return acceptStream(context, toMake);
    const { call, outputs } = await makeStreamedCall(context, toMake);
    return chunkStream(newStreamRecord(call, body.model), outputs);
  },
);
