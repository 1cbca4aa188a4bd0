import { streamCall } from '../../../calls/stream-call.ts';
import { Chunk, SingleCallRequest } from '../../../contracts/calls.ts';
import { route } from '../../route.ts';
import { callContext, callRequest, singleCallJob } from './support/call-request.ts';
import { chunkEvents, eventStream, refusalsOfSingle } from './support/call-response.ts';

export const createAndStream = route(
  {
    method: 'post',
    path: '/api/jobs/create-and-call-stream',
    summary: 'Create a job, stream its one call and complete it',
    description:
      'The events are those of `llm-call-stream`. At `[DONE]` the job has ended and the credit is deducted, unless an error came ' +
      'before it. A client that goes away changes nothing.',
    tag: 'Single-call jobs',
    access: { audience: ['team'] },
    body: { schema: SingleCallRequest },
    makesCall: true,
    streams: chunkEvents,
    response: Chunk,
    responseHeaders: ['X-Ignored-Fields'],
    errors: [...refusalsOfSingle, 'job_finished'],
    example: { body: { purpose: 'summary', max_tokens: 200, job_metadata: { cost_center: 'FIN-204' } } },
  },
  async (context) => {
    const { body } = context;
    const request = callRequest(body.model, body);
    const newJob = singleCallJob(context, body);
    return eventStream(request, await streamCall(callContext(context), request, { kind: 'single_call', newJob }));
  },
);
