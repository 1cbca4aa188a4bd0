import type { ModelRequest } from '../../calls/call-context.ts';
import { failuresOfCalls, Refusal, refuse } from '../../errors.ts';
import { requireTeamCaller } from '../../services/caller.ts';
import { refusalOfCall } from '../../services/calls/call-refusal.ts';
import {
  type CallObserver,
  makeCall,
  makeStreamedCall,
  type RepeatableRequest,
} from '../../services/calls/make-call.ts';
import { callHeaders } from '../call-headers.ts';
import { computeFingerprint, headersOfRequest } from '../idempotency/idempotency-key.ts';
import { type RequestContext, route } from '../route.ts';
import { type EventStream, newStreamRecord } from '../stream/event-stream.ts';
import { ChatRequest, forwardedFields } from './chat-request.ts';
import { ChatResponse } from './chat-response.ts';
import { chatStream } from './chunks.ts';
import { chatEvents, chatExample } from './examples.ts';
import { JobHeaders, toCallTarget } from './job-headers.ts';
import { requireMediaUrls } from './media-urls.ts';
import { toChatCall } from './model-request.ts';
import { serializeCompletion } from './serialize-completion.ts';
import { openAiSurface, teamLimitHeaders, teamLimitNames } from './surface.ts';

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
  return { request, target: toCallTarget(context), observer: newHeaderObserver(context, unknownFields) };
}

async function complete(context: ChatContext): Promise<ChatResponse> {
  const { body } = context;
  const toMake = toCall(context);
  const created = Math.floor(Date.now() / 1_000);
  const { call, result, jobResult } = await makeCall(context, toMake, repeatable(context, toMake.request));
  if (result.status !== 'succeeded') throw refusalOfCall(result);
  // The job was ended in another way, such as cancelled, while the call ran.
  if (call.isSingleCall && jobResult && jobResult.status !== 'completed') throw refuse('call_ended', jobResult.status);
  return serializeCompletion({ callId: call.callId, model: body.model, created }, result);
}

async function stream(context: ChatContext): Promise<EventStream> {
  const { body } = context;
  const includesUsage = body.stream_options?.include_usage === true;
  const { call, outputs } = await makeStreamedCall(context, toCall(context));
  return chatStream(newStreamRecord(call, body.model, { includesUsage }), outputs);
}

/** The headers of a call, and those of both limits of its team. `spec 17.19` */
function newHeaderObserver(context: RequestContext, unknownFields: readonly string[]): CallObserver {
  const { setHeader } = context;
  const common = callHeaders(context, unknownFields);
  return {
    ...common,
    onLimit(limits) {
      common.onLimit(limits);
      for (const [name, value] of Object.entries(teamLimitHeaders(limits))) setHeader(name, value);
    },
  };
}

/** The clients of OpenAI set it, to 0 in a first request. */
const retryCountHeader = 'x-stainless-retry-count';

/**
 * Equal requests of one virtual key have the same body, and the same headers that name the job. There is a fingerprint for each
 * MASTER_KEY that is valid: a call may be repeated at a process that has exchanged the two. `spec 18.7`
 */
const repeatable = (context: ChatContext, request: ModelRequest): RepeatableRequest => ({
  isRepetition: /^[1-9]\d{0,8}$/.test(String(context.sentHeaders[retryCountHeader])),
  fingerprints() {
    const headers = headersOfRequest(JobHeaders, context);
    const rest = withoutForwarded(context.body);
    return requireTeamCaller(context.caller).key.hashes.map((hash) =>
      computeFingerprint(hash, request.body, rest, headers),
    );
  },
});

/** The body but for what goes upstream as text. */
function withoutForwarded(body: ChatRequest): Record<string, unknown> {
  const rest: Record<string, unknown> = { ...body };
  for (const name of ['messages', ...forwardedFields]) delete rest[name];
  return rest;
}

const ofModels: ReadonlySet<string> = new Set(['model_group_denied', 'model_group_unusable', 'model_group_empty']);

/** One refusal for every model that the team cannot call: an error does not show which models exist. `spec 17.23` */
async function hideModelRefusals<T>(model: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal && ofModels.has(error.code) ? refuse('model_not_found', model) : error;
  }
}
