import { VirtualKeyChanged } from '../../calls/call-context.ts';
import type { CallInJob } from '../../calls/call-target.ts';
import type { StreamOutput } from '../../calls/frame-reorder.ts';
import { findTeamByKey } from '../../db/keys/find-team-by-key.ts';
import { Refusal } from '../../errors.ts';
import type { ReadStream, StreamedCallIds } from '../../redis/lost-streams.ts';
import { requireTeamCaller } from '../caller.ts';
import type { ServiceContext } from '../context.ts';
import { type CallToMake, makeStreamedCall } from './make-call.ts';
import { watchCall } from './watch-call.ts';

/** The answer of a streamed call, which is read from its first piece on. */
export interface AnswerStream {
  call: CallInJob & { callId: string };
  outputs: AsyncIterable<StreamOutput>;
}

/**
 * Makes a streamed call, or takes up the stream of an equal request whose client was lost before the last event: no second call, and no
 * second cost. `fingerprint`: the same for equal requests of one credential; undefined: the client repeats no streams. `spec 27.9`
 */
export async function makeRepeatableStream(
  context: ServiceContext,
  toMake: CallToMake,
  fingerprint: string | undefined,
): Promise<AnswerStream & { outputs: AsyncGenerator<StreamOutput> }> {
  if (fingerprint === undefined || context.operation) return makeStreamedCall(context, toMake);
  const { lostStreams } = context.deps;
  const ids = await lostStreams.take(fingerprint);
  if (ids) await requireValidKey(context);
  const taken = ids && (await takeUp(context, toMake, ids));
  const { call, outputs } = taken ?? (await makeStreamedCall(context, toMake));
  const stream = lostStreams.read(fingerprint, { callId: call.callId, jobId: call.jobId });
  context.disconnected.addEventListener('abort', stream.lose, { once: true });
  if (context.disconnected.aborted) stream.lose();
  return { call, outputs: untilDelivered(outputs, stream) };
}

/** A call would verify a cached key. A stream that is taken up makes none. */
async function requireValidKey({ deps, caller }: ServiceContext): Promise<void> {
  const { cached, key } = requireTeamCaller(caller);
  if (!cached) return;
  const team = await findTeamByKey(deps.database, key.hashes);
  if (!team || team.suspended) throw new VirtualKeyChanged();
}

/** Undefined: the call is not the caller's, or its answer is no longer stored. */
async function takeUp(
  context: ServiceContext,
  { observer }: CallToMake,
  ids: StreamedCallIds,
): Promise<AnswerStream | undefined> {
  try {
    const { outputs } = await watchCall(context, ids);
    observer.onAdmitted({ ...ids, extraFields: [], blockedFields: [], budget: null });
    observer.onRequestStored();
    return { call: { ...ids, isSingleCall: false, jobEnd: null }, outputs: outputs(context.disconnected) };
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** The last output is delivered when the next one is asked for. */
async function* untilDelivered(outputs: AsyncIterable<StreamOutput>, stream: ReadStream): AsyncGenerator<StreamOutput> {
  let hasEnd = false;
  try {
    for await (const output of outputs) {
      yield output;
      hasEnd ||= output.type === 'end' || output.type === 'lost';
    }
  } finally {
    if (hasEnd) stream.deliver();
    else stream.lose();
  }
}
