import type { CallContext } from '../../calls/call-context.ts';
import { insertAbandonedCall } from '../../db/calls/abandoned-calls.ts';
import { requestFields } from '../../log.ts';
import type { ServiceContext } from '../context.ts';

/** The same context, which records the call when its client disconnects before the answer. Nothing is written for clients that stay. */
export function recordingAbandonment(context: ServiceContext, call: CallContext): CallContext {
  const { deps, disconnected } = context;
  let callId: string | undefined;
  let hasDisconnected = false;
  const record = () => {
    if (!hasDisconnected || callId === undefined) return;
    insertAbandonedCall(deps.database, callId).catch((error: unknown) =>
      deps.log.warn({ err: error, ...requestFields(context) }, 'calls: abandonment not recorded'),
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
