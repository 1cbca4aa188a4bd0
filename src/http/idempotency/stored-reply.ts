import { restreamCall } from '../../calls/stream-call.ts';
import type { OperationOfKey } from '../../db/calls/retract-calls.ts';
import type { KeptAnswer } from '../../db/idempotency/idempotency-keys.ts';
import type { Deps } from '../ports.ts';
import type { Reply } from '../reply.ts';
import { EventStream, eventStreamOf, type StreamRecord } from '../stream/event-stream.ts';

/** The sealed content: the bytes of the answer, or what a stream can be made from again. */
type Kept = { text: string } | { stream: StreamRecord };

export function keptReply(deps: Deps, scope: Buffer, { status, headers, body }: Reply): KeptAnswer {
  const kept: Kept = body instanceof EventStream ? { stream: body.record } : { text: body };
  return { status, headers, sealed: deps.secrets.seal(JSON.stringify(kept), scope.toString('hex')) };
}

/** The kept reply, marked as a repetition. A stream is made again from its call's frames and record. */
export async function repeatedReply(
  deps: Deps,
  { scope, operationId }: { scope: Buffer; operationId: string },
  { status, headers, sealed }: KeptAnswer,
): Promise<Reply> {
  const kept = JSON.parse(deps.secrets.open(sealed, scope.toString('hex'))) as Kept;
  const body =
    'stream' in kept ? await streamAgain(deps, kept.stream, { scope, operation_id: operationId }) : kept.text;
  return { status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body };
}

async function streamAgain(deps: Deps, record: StreamRecord, key: OperationOfKey): Promise<EventStream> {
  const { naming, ending } = record;
  const call = { callId: naming.callId, ...(ending?.isOpenedByCall && { openedJobId: ending.jobId }), key };
  return eventStreamOf(record, await restreamCall(deps, call, ending));
}
