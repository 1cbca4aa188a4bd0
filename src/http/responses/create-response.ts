import { makeCall } from '../../services/calls/make-call.ts';
import { makeRepeatableStream } from '../../services/calls/repeatable-stream.ts';
import { makeInBackground, watchOwn } from '../../services/responses/make-in-background.ts';
import { route } from '../route.ts';
import { newStreamRecord } from '../stream/event-stream.ts';
import { whileAllowed } from '../stream/while-allowed.ts';
import { fingerprintOfAgent } from '../v1/agent-fingerprint.ts';
import { callBodyForm, refusalsOfCalls } from '../v1/call-route.ts';
import { JobHeaders } from '../v1/call-target.ts';
import { awaitFirstOutput } from '../v1/first-output.ts';
import { hideModelRefusals } from '../v1/hide-model-refusals.ts';
import { openAiSurface, teamLimitNames } from '../v1/openai-surface.ts';
import { repeatable } from '../v1/repeatable.ts';
import { requireAnswer } from '../v1/require-answer.ts';
import { queuedResponse, readMessage } from './answer/response-events.ts';
import type { ResponseObject } from './answer/response-object.ts';
import { completedAt, ResponseStream } from './answer/response-stream.ts';
import { responseEvents, responseExample } from './examples.ts';
import { ResponseRequest } from './request/response-request.ts';
import { type ResponseContext, toResponseCall } from './request/to-response-call.ts';
import { Response } from './response.ts';

export const createResponse = route(
  {
    operationId: 'createResponse',
    method: 'post',
    path: '/v1/responses',
    summary: 'Create a response',
    description:
      "OpenAI's Responses. Without a header that names a job, the call has a job of its own, which is completed and billed with it. With " +
      '`stream` the answer is an event stream, whose headers wait up to 10 s for its first piece. Fields, items and tools that a chat ' +
      'completion has no place for are left out and named in `X-Ignored-Fields`.',
    tag: 'Responses',
    surface: openAiSurface,
    access: { audience: ['team'] },
    headers: JobHeaders,
    body: {
      schema: ResponseRequest.meta({ example: responseExample.body }),
      form: callBodyForm,
    },
    makesCall: true,
    streams: responseEvents,
    response: Response.meta({ example: responseExample.response }),
    responseHeaders: [...teamLimitNames],
    errors: [...refusalsOfCalls, 'response_not_found', 'item_not_found', 'previous_response_not_ready'],
  },
  (context) => {
    const { body } = context as ResponseContext;
    const respond = body.background ? inBackground : body.stream ? stream : complete;
    return hideModelRefusals<ResponseObject | ResponseStream>(body.model, () => respond(context as ResponseContext));
  },
);

async function complete(context: ResponseContext): Promise<ResponseObject> {
  const { toMake, record } = await toResponseCall(context);
  const { input: _, ...rest } = context.body;
  const made = await makeCall(context, toMake, repeatable(context, toMake.request, rest));
  const result = requireAnswer(made);
  const ofCall = { callId: made.call.callId, ...record };
  const events = readMessage(ofCall, result.message);
  events.end(result, completedAt(ofCall, result));
  return events.response;
}

async function stream(context: ResponseContext): Promise<ResponseStream> {
  // Before the request is stored, which drops the body.
  const fingerprint = fingerprintOfAgent(context, context.body);
  const { toMake, record } = await toResponseCall(context);
  const { call, outputs } = await makeRepeatableStream(context, toMake, fingerprint);
  const stored = newStreamRecord(call, context.body.model, record);
  const begun = await awaitFirstOutput(context, outputs);
  return new ResponseStream({ callId: call.callId, ...record }, begun, { stored });
}

/** The client may leave: the call is made in any case. `spec 29.18` */
async function inBackground(context: ResponseContext): Promise<ResponseObject | ResponseStream> {
  const { toMake, record } = await toResponseCall(context);
  const call = await makeInBackground(context, toMake);
  const ofCall = { callId: call.callId, ...record };
  if (!context.body.stream) return queuedResponse(ofCall);
  const outputs = whileAllowed(context, (left) => watchOwn(context, call, left));
  const stored = { ...newStreamRecord(call, context.body.model, record), isAsynchronous: true as const };
  return new ResponseStream(ofCall, outputs, { stored });
}
