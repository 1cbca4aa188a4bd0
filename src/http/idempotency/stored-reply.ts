import { restreamCall } from '../../calls/stream-call.ts';
import { watchCall, withEndTime } from '../../calls/watch-call.ts';
import { type IdempotentOperation, readLongReply, type StoredReply } from '../../db/idempotency/idempotency-keys.ts';
import { refuse } from '../../errors.ts';
import type { Deps } from '../ports.ts';
import type { Reply } from '../reply.ts';
import type { EventForm, RequestContext } from '../route.ts';
import { EventStream, type StreamRecord } from '../stream/event-stream.ts';
import { whileAllowed } from '../stream/while-allowed.ts';

/** The sealed content: the bytes of the answer, or what a stream can be made from again. */
type Content = { text: string } | { stream: StreamRecord };

export function toStoredReply(deps: Deps, scope: Buffer, { status, headers, body }: Reply): StoredReply {
  // Only a GET is answered with a file, and no GET has a key.
  const content: Content = body instanceof EventStream ? { stream: body.record! } : { text: body as string };
  return { status, headers, sealed: deps.secrets.seal(JSON.stringify(content), scope.toString('hex')) };
}

/** The stored reply, marked as a repetition. A stream is made again, in the form of its route, from its call's frames and record. */
export async function repeatedReply(
  context: RequestContext,
  operation: IdempotentOperation,
  { status, headers, sealed }: Omit<StoredReply, 'sealed'> & { sealed?: Buffer },
  streams: EventForm | undefined,
): Promise<Reply> {
  const { deps } = context;
  const open = (bytes: Buffer) => JSON.parse(deps.secrets.open(bytes, operation.scope.toString('hex'))) as Content;
  const content = sealed ? open(sealed) : await openLong(context, operation, open);
  const body = 'stream' in content ? await restream(context, content.stream, operation, streams!) : content.text;
  return { status, headers: { ...headers, 'Idempotent-Replayed': 'true' }, body };
}

/** Opens long replies of one holder one after the other. */
const openLong = (
  { deps, holder, disconnected }: Pick<RequestContext, 'deps' | 'holder' | 'disconnected'>,
  operation: IdempotentOperation,
  open: (bytes: Buffer) => Content,
): Promise<Content> =>
  deps.measures.thread.run(
    holder,
    async () => {
      const sealed = await readLongReply(deps.database, operation);
      if (!sealed) throw refuse('request_in_progress');
      return open(sealed);
    },
    { signal: disconnected },
  );

async function restream(
  context: RequestContext,
  record: StreamRecord,
  operation: IdempotentOperation,
  { toStream }: EventForm,
): Promise<EventStream> {
  const { deps } = context;
  const { naming, call, isAsynchronous } = record;
  if (isAsynchronous) {
    const watched = await watchCall(deps, { call_id: naming.callId, streamed: true });
    return toStream!(
      record,
      whileAllowed(context, (left) => withEndTime(deps, naming.callId, watched.outputs(left))),
    );
  }
  const retractable = { callId: naming.callId, ...(call?.isSingleCall && { singleCallJobId: call.jobId }), operation };
  return toStream!(record, await restreamCall(deps, retractable, call));
}
