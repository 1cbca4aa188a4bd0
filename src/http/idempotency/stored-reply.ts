import { restreamCall } from '../../calls/stream-call.ts';
import { type IdempotentOperation, readLongReply, type StoredReply } from '../../db/idempotency/idempotency-keys.ts';
import { refuse } from '../../errors.ts';
import type { Deps } from '../ports.ts';
import type { Reply } from '../reply.ts';
import type { EventForm, RequestContext } from '../route.ts';
import { EventStream, type StreamRecord } from '../stream/event-stream.ts';

/** The sealed content: the bytes of the answer, or what a stream can be made from again. */
type Content = { text: string } | { stream: StreamRecord };

export function toStoredReply(deps: Deps, scope: Buffer, { status, headers, body }: Reply): StoredReply {
  // Only a GET is answered with a file, and no GET has a key.
  const content: Content = body instanceof EventStream ? { stream: body.record! } : { text: body as string };
  return { status, headers, sealed: deps.secrets.seal(JSON.stringify(content), scope.toString('hex')) };
}

/** The stored reply, marked as a repetition. A stream is made again, in the form of its route, from its call's frames and record. */
export async function repeatedReply(
  context: Pick<RequestContext, 'deps' | 'holder' | 'disconnected'>,
  operation: IdempotentOperation,
  { status, headers, sealed }: Omit<StoredReply, 'sealed'> & { sealed?: Buffer },
  streams: EventForm | undefined,
): Promise<Reply> {
  const { deps } = context;
  const open = (bytes: Buffer) => JSON.parse(deps.secrets.open(bytes, operation.scope.toString('hex'))) as Content;
  const content = sealed ? open(sealed) : await openLong(context, operation, open);
  const body = 'stream' in content ? await restream(deps, content.stream, operation, streams!) : content.text;
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
  deps: Deps,
  record: StreamRecord,
  operation: IdempotentOperation,
  { toStream }: EventForm,
): Promise<EventStream> {
  const { naming, call } = record;
  const retractable = { callId: naming.callId, ...(call?.isSingleCall && { singleCallJobId: call.jobId }), operation };
  return toStream!(record, await restreamCall(deps, retractable, call));
}
