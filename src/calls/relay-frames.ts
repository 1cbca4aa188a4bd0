import { closeCall } from '../db/calls/close-call.ts';
import { readCallResult } from '../db/calls/read-call-result.ts';
import type { Frame } from '../domain/call-event.ts';
import type { CallResult } from '../domain/call-result.ts';
import { callError } from '../domain/call-state.ts';
import { lengthOfDelta, lengthOfMessage } from '../domain/chat-message.ts';
import { FrameReorder, type StreamOutput } from './frame-reorder.ts';
import type { CallDeps } from './ports.ts';

export type RelayDeps = Pick<CallDeps, 'database' | 'callEvents' | 'redisHealth' | 'callSubscriptions'>;

/** `spec 5.6` promises an end within 10 s of Redis going away. */
const maxWithoutRedisMs = 5_000;
const checkMs = 1_000;
/** The stored frames are read again after growing pauses while a gap stays, and not with every frame. */
const firstRereadPauseMs = 200;
const maxRereadPauseMs = 3_000;

/** A subscription is created before the call is signalled, so that its first frame cannot be missed. */
export interface FrameSubscription {
  /** Resolves with the first event of the call: its result, or undefined for any other event. */
  firstEvent: Promise<CallResult | undefined>;
  /** The outputs can be read once. `afterResult` is awaited before they end; when `left` aborts, they end without a result. */
  outputs(afterResult?: (result: CallResult) => Promise<unknown>, left?: AbortSignal): AsyncGenerator<StreamOutput>;
  /** Ends the outputs with this result, whatever becomes of the call. */
  end(result: CallResult): void;
  close(): void;
}

export interface FrameReading {
  /** Frames of the call may have been published already; the stored ones are read first. */
  isLate?: boolean;
  /** The reader did not make the call: without Redis the call goes on, and the reader waits for its record. */
  isWatched?: boolean;
  /** The end of the call comes without its message, because the call is not streamed: it is read from the record. */
  isWhole?: boolean;
}

export async function subscribeToFrames(
  deps: RelayDeps,
  callId: string,
  reading: FrameReading = {},
): Promise<FrameSubscription> {
  const queue = new FrameQueue();
  const { promise: firstEvent, resolve: onFirstEvent } = Promise.withResolvers<CallResult | undefined>();
  const endWith = (result: CallResult) => {
    queue.put((reorder) => reorder.finish(result));
    onFirstEvent(result);
  };
  /** A long message is read again when its reader has come so far: one that reads nothing holds none. */
  const endAsRecorded = () => {
    queue.put(async (reorder) => {
      const recorded = await readCallResult(deps.database, callId).catch(() => undefined);
      return recorded ? reorder.finish(recorded) : reorder.endIncomplete('broken');
    });
    onFirstEvent(undefined);
  };
  const unsubscribe = await deps.callSubscriptions.subscribe(callId, {
    onEvent(event) {
      if (reading.isWhole && event.type === 'end') return endAsRecorded();
      if (event.type !== 'started') queue.put((reorder) => reorder.accept(event), { droppable: lengthOf(event) });
      onFirstEvent(event.type === 'end' ? event.end : undefined);
    },
    isRecorded: () => reading.isWatched === true,
    onRecordedResult: (result) => (hasLongMessage(result) ? endAsRecorded() : endWith(result)),
    onShutdown() {
      queue.put((reorder) => reorder.endIncomplete('broken'));
      onFirstEvent(undefined);
    },
  });
  return {
    firstEvent,
    async *outputs(afterResult, left) {
      try {
        for await (const output of inOrder(deps, queue, callId, { ...reading, left })) {
          yield output;
          if (output.type === 'end') await afterResult?.(output.end);
        }
      } finally {
        unsubscribe();
      }
    },
    end: endWith,
    close: unsubscribe,
  };
}

/** The outputs of a call, in order, up to its result. Yields nothing twice and always ends. */
async function* inOrder(
  deps: RelayDeps,
  queue: FrameQueue,
  callId: string,
  { isLate = false, isWatched = false, left }: FrameReading & { left: AbortSignal | undefined },
): AsyncGenerator<StreamOutput> {
  const reorder = new FrameReorder();
  let readAt = 0;
  let pauseMs = firstRereadPauseMs;
  const readStored = async () => {
    readAt = Date.now();
    return (await deps.callEvents.storedFrames(callId).catch(() => [])).flatMap((frame) => reorder.accept(frame));
  };
  if (isLate) yield* await readStored();
  while (!reorder.isOver && !left?.aborted) {
    const arrival = await queue.take(checkMs);
    if (arrival) yield* await arrival(reorder);
    if (!reorder.hasGap) pauseMs = firstRereadPauseMs;
    else if (Date.now() - readAt > pauseMs) {
      yield* await readStored();
      pauseMs = Math.min(pauseMs * 2, maxRereadPauseMs);
    }
    if (!arrival && !isWatched && deps.redisHealth.downMs() > maxWithoutRedisMs) {
      yield* await endWithoutRedis(deps, callId, reorder);
    }
  }
}

/**
 * An error event means that the call is over (`spec 5.7`): so a call whose frames do not arrive is ended in its record first. The
 * worker that has it records its usage all the same.
 */
async function endWithoutRedis(
  { database }: RelayDeps,
  callId: string,
  reorder: FrameReorder,
): Promise<StreamOutput[]> {
  try {
    const result = await readCallResult(database, callId);
    if (result) return reorder.finish(result);
    if (await closeCall(database, callId, 'failed', callError.streamLost)) return reorder.endIncomplete('lost');
    const laterResult = await readCallResult(database, callId);
    return laterResult ? reorder.finish(laterResult) : reorder.endIncomplete('broken');
  } catch {
    return reorder.endIncomplete('broken');
  }
}

/** Frames queued for a slow reader, and their characters. Frames dropped beyond that are read from Redis or the record. */
const maxQueuedFrames = 256;
const maxQueuedCharacters = 262_144;

const lengthOf = (frame: Frame): number => (frame.type === 'end' ? 0 : lengthOfDelta(frame.delta));

const hasLongMessage = (result: CallResult): boolean =>
  'message' in result && result.message !== undefined && lengthOfMessage(result.message) > maxQueuedCharacters;

/** What has arrived, as a change of the order. */
type Arrival = (reorder: FrameReorder) => StreamOutput[] | Promise<StreamOutput[]>;

/** What arrived for one reader and is not processed yet. */
class FrameQueue {
  private readonly arrivals: { arrival: Arrival; characters: number }[] = [];
  private characters = 0;
  private wake: (() => void) | undefined;

  /** `droppable`: the characters of a frame that may be dropped. */
  put(arrival: Arrival, { droppable }: { droppable?: number } = {}): void {
    const isFull = this.arrivals.length >= maxQueuedFrames || this.characters >= maxQueuedCharacters;
    if (droppable !== undefined && isFull) return;
    const characters = droppable ?? 0;
    this.characters += characters;
    this.arrivals.push({ arrival, characters });
    this.wake?.();
  }

  /** The next arrival; undefined when nothing came within `waitMs`. */
  async take(waitMs: number): Promise<Arrival | undefined> {
    if (this.arrivals.length === 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitMs);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    const first = this.arrivals.shift();
    this.characters -= first?.characters ?? 0;
    return first?.arrival;
  }
}
