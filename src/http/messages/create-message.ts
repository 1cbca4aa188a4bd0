import { estimatePromptTokens } from '../../services/calls/estimate-tokens.ts';
import { makeCall } from '../../services/calls/make-call.ts';
import { makeRepeatableStream } from '../../services/calls/repeatable-stream.ts';
import { type RequestContext, route } from '../route.ts';
import { type EventStream, newStreamRecord } from '../stream/event-stream.ts';
import { fingerprintOfAgent } from '../v1/agent-fingerprint.ts';
import { newHeaderObserver } from '../v1/call-observer.ts';
import { callBodyForm, refusalsOfCalls } from '../v1/call-route.ts';
import { JobHeaders, toCallTarget } from '../v1/call-target.ts';
import { awaitFirstOutput } from '../v1/first-output.ts';
import { hideModelRefusals } from '../v1/hide-model-refusals.ts';
import { teamLimitNames } from '../v1/openai-surface.ts';
import { repeatable } from '../v1/repeatable.ts';
import { requireAnswer } from '../v1/require-answer.ts';
import { userOfMessages } from '../v1/user-of-messages.ts';
import { isContextExceeded, withShownFigures } from './context-figures.ts';
import { messageEvents, messageExample } from './examples.ts';
import { MessageResponse } from './message-response.ts';
import { messageStream } from './message-stream.ts';
import { type MessagesBody, MessagesRequest } from './messages-request.ts';
import { anthropicLimitHeaders, anthropicLimitNames, messagesSurface } from './messages-surface.ts';
import { type MessageCall, toMessageCall } from './model-request.ts';
import { serializeMessage } from './serialize-message.ts';
import { type ResolvedBody, resolveThread } from './thread.ts';

export const createMessage = route(
  {
    operationId: 'createMessage',
    method: 'post',
    path: '/v1/messages',
    summary: 'Create a message',
    description:
      'Without a header that names a job, the call has a job of its own, which is completed and billed with it. The request is translated ' +
      'to a chat completion; what that has no place for is left out and named in `X-Ignored-Fields`. With `stream` the answer is an event ' +
      'stream, which begins with the first piece of the answer, or after 10 s: a call that fails before has a status.',
    tag: 'Anthropic-compatible',
    surface: messagesSurface,
    access: { audience: ['team'] },
    headers: JobHeaders,
    body: {
      schema: MessagesRequest.meta({ example: messageExample.body }),
      form: callBodyForm,
    },
    makesCall: true,
    streams: messageEvents,
    response: MessageResponse.meta({ example: messageExample.response }),
    responseHeaders: ['request-id', ...teamLimitNames, ...anthropicLimitNames],
    errors: [...refusalsOfCalls, 'thread_not_found', 'thread_field_not_allowed'],
  },
  async (context) => {
    context.setHeader('request-id', context.requestId);
    const { body, previousCallId } = await resolveThread(context, context.body);
    const purpose = context.headers['x-call-purpose'] ?? null;
    const made = toMessageCall(body, purpose, context.sentMembers(), context.deps.config.MEDIA_URLS);
    // The body is dropped once it is stored: what is needed later is read here.
    const { model, stream: isStreamed } = body;
    const answer = (): Promise<MessageResponse | EventStream> =>
      isStreamed
        ? stream(context, { ...made, previousCallId }, model)
        : complete(context, { ...made, previousCallId }, model);
    return hideModelRefusals(model, answer).catch(async (error: unknown) => {
      if (!isContextExceeded(error)) throw error;
      throw withShownFigures(error, await estimatePromptTokens(context.deps, model, made.size));
    });
  },
);

type MessageContext = RequestContext<undefined, undefined, MessagesBody, JobHeaders>;

type ToMake = MessageCall & Pick<ResolvedBody<MessagesBody>, 'previousCallId'>;

function toCall(context: MessageContext, { request, unknownFields, leftOut, previousCallId }: ToMake) {
  const { body } = context;
  const ofBody = {
    body: { ...body },
    userId: userOfMessages(body.metadata?.user_id),
    metadata: body.metadata ?? null,
    defaultJobType: 'messages',
    previousCallId,
  };
  const ignoredFields = [...context.ignoredFields, ...leftOut];
  const common = newHeaderObserver({ ...context, ignoredFields }, unknownFields);
  const observer: typeof common = {
    ...common,
    onLimit(limits) {
      common.onLimit(limits);
      for (const [name, value] of Object.entries(anthropicLimitHeaders(limits))) context.setHeader(name, value);
    },
  };
  return { request, target: toCallTarget(context, ofBody), observer };
}

async function complete(context: MessageContext, made: ToMake, model: string): Promise<MessageResponse> {
  const toMake = toCall(context, made);
  const created = Math.floor(Date.now() / 1_000);
  const rest = withoutForwarded(context.body);
  const answered = await makeCall(context, toMake, repeatable(context, toMake.request, rest));
  return serializeMessage({ callId: answered.call.callId, model, created }, requireAnswer(answered));
}

async function stream(context: MessageContext, made: ToMake, model: string): Promise<EventStream> {
  const { requestId } = context;
  const estimating = estimatePromptTokens(context.deps, model, made.size);
  const fingerprint = fingerprintOfAgent(context, { ...context.body });
  const { call, outputs } = await makeRepeatableStream(context, toCall(context, made), fingerprint);
  const all = await awaitFirstOutput(context, outputs);
  return messageStream(newStreamRecord(call, model, { requestId, inputTokens: await estimating }), all);
}

/** The body but for what goes upstream as text. */
function withoutForwarded({ messages, system, tools, ...rest }: MessagesBody): Record<string, unknown> {
  return rest;
}
