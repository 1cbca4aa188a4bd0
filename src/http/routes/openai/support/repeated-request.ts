import type { CallContext } from '../../../../calls/call-context.ts';
import { JobHeaders } from '../../../../contracts/openai/job-headers.ts';
import { insertAbandonedCall } from '../../../../db/calls/abandoned-calls.ts';
import { teamOf } from '../../../auth/caller.ts';
import { fingerprintOf, headersOfRequest } from '../../../idempotency/idempotency-key.ts';
import type { RequestContext } from '../../../route.ts';

/** Set by the clients of OpenAI, and 0 in a first request. */
const retryCountHeader = 'x-stainless-retry-count';

/** Whether a client says that it repeats this request. With an Idempotency-Key that key decides. `spec 18.7` */
export const isRepetition = ({ operation, sentHeaders }: RequestContext): boolean =>
  operation === undefined && /^[1-9]\d{0,8}$/.test(String(sentHeaders[retryCountHeader]));

/** The same for equal requests of one key: the body, and the headers that name the job. */
export const fingerprint = (context: RequestContext): Buffer =>
  fingerprintOf(teamOf(context.caller).key.hashes[0]!, context.body, headersOfRequest(JobHeaders, context));

/** The same context, which records the call when its client leaves before the answer. Nothing is written for clients that stay. */
export function recordingAbandonment(context: RequestContext, call: CallContext): CallContext {
  const { deps, operation, gone } = context;
  if (operation !== undefined) return call;
  let callId: string | undefined;
  let hasLeft = false;
  const record = () => {
    if (!hasLeft || callId === undefined) return;
    insertAbandonedCall(deps.database, callId, fingerprint(context)).catch((error: unknown) =>
      deps.log.warn({ err: error, request_id: context.requestId }, 'calls: abandonment not recorded'),
    );
  };
  const onLeft = () => {
    if (hasLeft) return;
    hasLeft = true;
    record();
  };
  for (const signal of [gone, context.ended()]) {
    if (signal.aborted) onLeft();
    else signal.addEventListener('abort', onLeft, { once: true });
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
