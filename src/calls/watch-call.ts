import { readFinishedAt } from '../db/calls/named-calls.ts';
import { readCallResult } from '../db/calls/read-call-result.ts';
import type { CallResult } from '../domain/call-result.ts';
import type { Delta } from '../domain/chat-message.ts';
import { FrameReorder, type StreamOutput } from './frame-reorder.ts';
import type { CallDeps } from './ports.ts';
import { subscribeToFrames } from './relay-frames.ts';

type WatchDeps = Pick<CallDeps, 'database' | 'callEvents' | 'redisHealth' | 'callSubscriptions'>;

/** The answer of a call that another request has made, from its beginning. */
export interface WatchedCall {
  /** They can be read once, and end without a result when `left` aborts. */
  outputs(left: AbortSignal): AsyncIterable<StreamOutput>;
  /** Of a call that has ended. */
  result: CallResult | undefined;
}

/**
 * Reads the answer of a call as it comes, or as it is recorded. The call is not changed by that, whatever becomes of the reader, of Redis
 * or of the workers.
 */
export async function watchCall(
  deps: WatchDeps,
  { call_id: callId, streamed }: { call_id: string; streamed: boolean },
): Promise<WatchedCall> {
  const ended = await readCallResult(deps.database, callId);
  if (ended) return { result: ended, outputs: () => asOutputs(ended) };
  const frames = await subscribeToFrames(deps, callId, { isLate: true, isWatched: true, isWhole: !streamed });
  return { result: undefined, outputs: (left) => frames.outputs(undefined, left) };
}

async function* asOutputs(result: CallResult): AsyncGenerator<StreamOutput> {
  yield* new FrameReorder().finish(result);
}

/** The outputs, of which the end has its time in the record: every reader receives the same one. */
export async function* withEndTime(
  { database }: Pick<CallDeps, 'database'>,
  callId: string,
  outputs: AsyncIterable<StreamOutput>,
): AsyncGenerator<StreamOutput> {
  for await (const output of outputs)
    yield output.type === 'end' ? { ...output, finishedAt: await readFinishedAt(database, callId) } : output;
}

/** What a running call has written so far, if it is streamed. */
export async function readSoFar({ callEvents }: Pick<CallDeps, 'callEvents'>, callId: string): Promise<Delta[]> {
  const reorder = new FrameReorder();
  const frames = await callEvents.storedFrames(callId).catch(() => []);
  const outputs = frames.filter(({ type }) => type === 'delta').flatMap((frame) => reorder.accept(frame));
  return outputs.flatMap((output) => (output.type === 'delta' ? [output.delta] : []));
}

/** Resolves when the call has ended, at the latest after `waitMs` or when `left` aborts. It needs no Redis. */
export async function awaitEndOfCall(
  { callSubscriptions }: Pick<CallDeps, 'callSubscriptions'>,
  callId: string,
  waitMs: number,
  left: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const unsubscribe = await callSubscriptions.subscribe(callId, {
    onEvent: (event) => event.type === 'end' && resolve(),
    onRecordedResult: () => resolve(),
    isRecorded: () => true,
    onShutdown: resolve,
  });
  const timer = setTimeout(resolve, waitMs);
  left.addEventListener('abort', () => resolve(), { once: true });
  if (left.aborted) resolve();
  await promise;
  clearTimeout(timer);
  unsubscribe();
}
