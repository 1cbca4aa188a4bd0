import { restreamCall } from '../../calls/stream-call.ts';
import type { IdempotentOperation, StoredReply } from '../../db/idempotency/idempotency-keys.ts';
import type { Deps } from '../ports.ts';
import type { Reply } from '../reply.ts';
import { EventStream, eventStreamOf, type StreamRecord } from '../stream/event-stream.ts';

/** The sealed content: the bytes of the answer, or what a stream can be made from again. */
type Content = { text: string } | { stream: StreamRecord };

export function toStoredReply(deps: Deps, scope: Buffer, { status, headers, body }: Reply): StoredReply {
  // Only a GET is answered with a file, and no GET has a key.
  const content: Content = body instanceof EventStream ? { stream: body.record! } : { text: body as string };
  return { status, headers, sealed: deps.secrets.seal(JSON.stringify(content), scope.toString('hex')) };
}

/** The stored reply, marked as a repetition. A stream is made again from its call's frames and record. */
export async function repeatedReply(
  deps: Deps,
  { scope, operationId }: { scope: Buffer; operationId: string },
  { status, headers, sealed }: StoredReply,
): Promise<Reply> {
  const content = JSON.parse(deps.secrets.open(sealed, scope.toString('hex'))) as Content;
  const body =
    'stream' in content ? await restream(deps, content.stream, { scope, operation_id: operationId }) : content.text;
  return { status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body };
}

async function restream(deps: Deps, record: StreamRecord, operation: IdempotentOperation): Promise<EventStream> {
  const { naming, ending } = record;
  const call = { callId: naming.callId, ...(ending?.isSingleCall && { singleCallJobId: ending.jobId }), operation };
  return eventStreamOf(record, await restreamCall(deps, call, ending));
}
