import type { CallContext, ModelRequest } from '../../../calls/call-context.ts';
import { type ChatRequest, forwardedFields } from '../../../contracts/openai/chat-request.ts';
import { JobHeaders } from '../../../contracts/openai/job-headers.ts';
import { insertAbandonedCall } from '../../../db/calls/abandoned-calls.ts';
import { teamOf } from '../../../services/caller.ts';
import { fingerprintOf, headersOfRequest } from '../../idempotency/idempotency-key.ts';
import type { RequestContext } from '../../route.ts';

/** The context of a request for a chat completion. */
export type ChatContext = RequestContext<undefined, undefined, ChatRequest, JobHeaders>;

/** Set by the clients of OpenAI, and 0 in a first request. */
const retryCountHeader = 'x-stainless-retry-count';

/** Whether a client states that it repeats this request. `spec 18.7` */
export const isRepetition = ({ sentHeaders }: RequestContext): boolean =>
  /^[1-9]\d{0,8}$/.test(String(sentHeaders[retryCountHeader]));

/** The body but for what goes upstream as text. */
const withoutForwarded = (body: ChatRequest): Record<string, unknown> => {
  const rest: Record<string, unknown> = { ...body };
  for (const name of ['messages', ...forwardedFields]) delete rest[name];
  return rest;
};

/**
 * The same for equal requests of one virtual key: the body, and the headers that name the job. One for each MASTER_KEY that is
 * valid, the current one first: a call may be repeated at a process that has exchanged the two.
 */
export function fingerprints(context: ChatContext, { body: text }: ModelRequest): Buffer[] {
  const headers = headersOfRequest(JobHeaders, context);
  const rest = withoutForwarded(context.body);
  return teamOf(context.caller).key.hashes.map((hash) => fingerprintOf(hash, text, rest, headers));
}

/** The same context, which records the call when its client disconnects before the answer. Nothing is written for clients that stay. */
export function recordingAbandonment(context: RequestContext, call: CallContext): CallContext {
  const { deps, disconnected } = context;
  let callId: string | undefined;
  let hasDisconnected = false;
  const record = () => {
    if (!hasDisconnected || callId === undefined) return;
    insertAbandonedCall(deps.database, callId).catch((error: unknown) =>
      deps.log.warn({ err: error, request_id: context.requestId }, 'calls: abandonment not recorded'),
    );
  };
  const onDisconnect = () => {
    if (hasDisconnected) return;
    hasDisconnected = true;
    record();
  };
  for (const signal of [disconnected, context.halfClosed()]) {
    if (signal.aborted) onDisconnect();
    else signal.addEventListener('abort', onDisconnect, { once: true });
  }
  return {
    ...call,
    onAdmitted(admitted) {
      call.onAdmitted(admitted);
      callId = admitted.callId;
      record();
    },
  };
}
