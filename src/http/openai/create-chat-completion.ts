import { makeCall } from '../../services/calls/make-call.ts';
import { makeRepeatableStream } from '../../services/calls/repeatable-stream.ts';
import { type RequestContext, route } from '../route.ts';
import { type EventStream, newStreamRecord } from '../stream/event-stream.ts';
import { fingerprintOfAgent } from '../v1/agent-fingerprint.ts';
import { newHeaderObserver } from '../v1/call-observer.ts';
import { callBodyForm, refusalsOfCalls } from '../v1/call-route.ts';
import { JobHeaders, toCallTarget } from '../v1/call-target.ts';
import { hideModelRefusals } from '../v1/hide-model-refusals.ts';
import { openAiSurface, teamLimitNames } from '../v1/openai-surface.ts';
import { repeatable } from '../v1/repeatable.ts';
import { requireAnswer } from '../v1/require-answer.ts';
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
      form: callBodyForm,
    },
    makesCall: true,
    streams: chatEvents,
    response: ChatResponse.meta({ example: chatExample.response }),
    responseHeaders: [...teamLimitNames],
    errors: refusalsOfCalls,
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
  const made = await makeCall(context, toMake, repeatable(context, toMake.request, withoutForwarded(body)));
  return serializeCompletion({ callId: made.call.callId, model: body.model, created }, requireAnswer(made));
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
