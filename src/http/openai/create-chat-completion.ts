import { stopped } from '../../domain/finish-reason.ts';
import { failuresOfCalls, refuse } from '../../errors.ts';
import { refusalOfCall } from '../../services/calls/call-refusal.ts';
import { makeCall } from '../../services/calls/make-call.ts';
import { makeRepeatableStream } from '../../services/calls/repeatable-stream.ts';
import { type RequestContext, route } from '../route.ts';
import { type EventStream, newStreamRecord } from '../stream/event-stream.ts';
import { fingerprintOfAgent } from '../v1/agent-fingerprint.ts';
import { newHeaderObserver } from '../v1/call-observer.ts';
import { JobHeaders, toCallTarget } from '../v1/call-target.ts';
import { hideModelRefusals } from '../v1/hide-model-refusals.ts';
import { openAiSurface, teamLimitNames } from '../v1/openai-surface.ts';
import { repeatable } from '../v1/repeatable.ts';
import { ChatRequest, forwardedFields } from './chat-request.ts';
import { ChatResponse } from './chat-response.ts';
import { chatStream } from './chunks.ts';
import { chatEvents, chatExample } from './examples.ts';
import { requireMediaUrls } from './media-urls.ts';
import { toChatCall } from './model-request.ts';
import { serializeCompletion } from './serialize-completion.ts';

export const createChatCompletion = route(
  {
    operationId: 'createChatCompletion',
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
      schema: ChatRequest.meta({ example: chatExample.body }),
      form: { limit: (config) => config.CALL_BODY_LIMIT, depth: 64, values: 500_000, isForwarded: true },
    },
    makesCall: true,
    streams: chatEvents,
    response: ChatResponse.meta({ example: chatExample.response }),
    responseHeaders: [...teamLimitNames],
    errors: [
      'job_of_another_team',
      'job_not_found',
      'job_finished',
      'job_required',
      'model_not_found',
      'insufficient_credits',
      'key_limit_reached',
      'price_unknown',
      'job_budget_reached',
      'job_budget_held',
      'job_deadline_exceeded',
      ...failuresOfCalls,
    ],
  },
  async (context) => {
    requireMediaUrls(context.deps.config.MEDIA_URLS, context.body);
    const respond = (): Promise<ChatResponse | EventStream> =>
      context.body.stream ? stream(context) : complete(context);
    return hideModelRefusals(context.body.model, respond);
  },
);

type ChatContext = RequestContext<undefined, undefined, ChatRequest, JobHeaders>;

function toCall(context: ChatContext) {
  const { request, unknownFields } = toChatCall(context.body, context.headers, context.sentMembers());
  const { body } = context;
  const ofBody = {
    body,
    userId: body.user ?? body.safety_identifier ?? null,
    metadata: body.metadata ?? null,
    defaultJobType: 'chat.completions',
  };
  return { request, target: toCallTarget(context, ofBody), observer: newHeaderObserver(context, unknownFields) };
}

async function complete(context: ChatContext): Promise<ChatResponse> {
  const { body } = context;
  const toMake = toCall(context);
  const created = Math.floor(Date.now() / 1_000);
  const { call, result, jobResult } = await makeCall(
    context,
    toMake,
    repeatable(context, toMake.request, withoutForwarded(body)),
  );
  if (result.status !== 'succeeded') throw refusalOfCall(result);
  // The job was ended in another way, such as cancelled, while the call ran.
  const isCancelled = call.isSingleCall && jobResult && jobResult.status !== 'completed';
  if (isCancelled && result.finishReason !== stopped) throw refuse('call_ended', jobResult.status);
  return serializeCompletion({ callId: call.callId, model: body.model, created }, result);
}

async function stream(context: ChatContext): Promise<EventStream> {
  const { body } = context;
  const includesUsage = body.stream_options?.include_usage === true;
  const { call, outputs } = await makeRepeatableStream(context, toCall(context), fingerprintOfAgent(context, body));
  return chatStream(newStreamRecord(call, body.model, { includesUsage }), outputs);
}

/** The body but for what goes upstream as text. */
function withoutForwarded(body: ChatRequest): Record<string, unknown> {
  const rest: Record<string, unknown> = { ...body };
  for (const name of ['messages', ...forwardedFields]) delete rest[name];
  return rest;
}
