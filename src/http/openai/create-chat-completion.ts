import { type AdoptedCall, adoptCall } from '../../calls/adopt-call.ts';
import type { CallContext, CallTarget, ModelRequest } from '../../calls/call-context.ts';
import { endsWithCall, jobEndRuleOf, resultOfJob } from '../../calls/job-result.ts';
import { type EndedCall, runCall } from '../../calls/run-call.ts';
import { streamCall } from '../../calls/stream-call.ts';
import { ChatRequest } from '../../contracts/openai/chat-request.ts';
import { ChatResponse } from '../../contracts/openai/chat-response.ts';
import { JobHeaders } from '../../contracts/openai/job-headers.ts';
import { refuse } from '../../errors.ts';
import { route } from '../route.ts';
import { refusalOfCall } from '../stream/call-refusal.ts';
import { type EventStream, eventStreamOf, recordedEnding } from '../stream/event-stream.ts';
import { chatContext, chatHeaders } from './support/call-headers.ts';
import { callTargetOf } from './support/call-target.ts';
import { chatCallOf } from './support/chat-call.ts';
import { chatEvents, chatExample } from './support/chat-examples.ts';
import { serializeCompletion } from './support/completion.ts';
import { jobAssignmentOf } from './support/job-assignment.ts';
import { requireMediaUrls } from './support/media-urls.ts';
import { hideModelRefusals } from './support/model-refusals.ts';
import { type ChatContext, fingerprints, isRepetition, recordingAbandonment } from './support/repeated-request.ts';
import { teamTaskOf } from './support/team-task.ts';
import { failuresOfCalls, openAiSurface } from './surface.ts';

export const createChatCompletion = route(
  {
    method: 'post',
    path: '/v1/chat/completions',
    summary: 'Create a chat completion',
    description:
      'Without a header that names a job, the call has a job of its own, which is completed and billed with it. With `stream` the ' +
      'answer is an event stream: chunks, an `{"error"}` event when the call fails, and in any case `[DONE]`, when a job that ends ' +
      'with the call has ended. Fields that are not listed are left out and named in `X-Ignored-Fields`, unless the model group or ' +
      'alias lets them through.',
    tag: 'OpenAI-compatible',
    surface: openAiSurface,
    access: { audience: ['team'] },
    headers: JobHeaders,
    body: {
      schema: ChatRequest,
      form: { limit: (config) => config.CALL_BODY_LIMIT, depth: 64, values: 500_000, isForwarded: true },
    },
    makesCall: true,
    streams: chatEvents,
    response: ChatResponse,
    responseHeaders: chatHeaders,
    errors: [
      'job_of_another_team',
      'job_not_found',
      'job_finished',
      'job_required',
      'model_not_found',
      'insufficient_credits',
      ...failuresOfCalls,
    ],
    example: chatExample,
  },
  async (context) => {
    requireMediaUrls(context.deps.config.MEDIA_URLS, context.body);
    const respond = (): Promise<ChatResponse | EventStream> =>
      context.body.stream ? stream(context) : complete(context);
    return hideModelRefusals(context.body.model, respond);
  },
);

const created = (): number => Math.floor(Date.now() / 1_000);

async function complete(context: ChatContext): Promise<ChatResponse> {
  const { deps, body, headers, disconnected } = context;
  const assignment = jobAssignmentOf(headers, body, () => teamTaskOf(context));
  const { request, unknownFields } = chatCallOf(body, assignment);
  const naming = { model: body.model, created: created() };
  const target = callTargetOf(context, assignment);
  const { callId, endRule, result } = await callOnce(context, chatContext(context, unknownFields), request, target);
  // The job's result first, also for a failed call: a client that reads the job after the answer finds it ended.
  const jobResult = endsWithCall(endRule, result)
    ? await resultOfJob(deps, endRule.jobId, result, disconnected)
    : undefined;
  if (result.status !== 'succeeded') throw refusalOfCall(result);
  // The job was ended in another way, such as cancelled, while the call ran.
  if (endRule.isSingleCall && jobResult && jobResult.status !== 'completed')
    throw refuse('call_ended', jobResult.status);
  return serializeCompletion({ callId, ...naming }, result);
}

/** The call of the request. Where no Idempotency-Key decides, that is one that its client has made before and left. `spec 18.7` */
async function callOnce(
  context: ChatContext,
  callContext: CallContext,
  request: ModelRequest,
  target: CallTarget,
): Promise<AdoptedCall> {
  if (context.operation) return endOf(await runCall(callContext, request, target));
  const all = fingerprints(context, request);
  const repeatable = { ...recordingAbandonment(context, callContext), fingerprint: all[0]! };
  const adopted = isRepetition(context) && (await adoptCall(repeatable, all, target));
  return adopted || endOf(await runCall(repeatable, request, target));
}

const endOf = ({ call, result }: EndedCall): AdoptedCall => ({
  callId: call.callId,
  endRule: jobEndRuleOf(call),
  result,
});

async function stream(context: ChatContext): Promise<EventStream> {
  const { body, headers } = context;
  const assignment = jobAssignmentOf(headers, body, () => teamTaskOf(context));
  const { request, unknownFields } = chatCallOf(body, assignment);
  const target = callTargetOf(context, assignment);
  const openAi = { includesUsage: body.stream_options?.include_usage === true };
  const { call, outputs } = await streamCall(chatContext(context, unknownFields), request, target);
  const naming = { callId: call.callId, model: body.model, created: created() };
  return eventStreamOf({ naming, openAi, ...recordedEnding(call) }, outputs);
}
