import { piecesOfDelta, publishedDelta } from '../../src/domain/answer-parts.ts';
import type { Frame } from '../../src/domain/call-event.ts';
import type { CallResult } from '../../src/domain/call-result.ts';
import { type Delta, lengthOfMessage, type Piece, pushAll } from '../../src/domain/chat-message.ts';
import type { CallEvents } from '../../src/redis/call-events.ts';
import { PendingDeltas } from './pending-deltas.ts';

const maxMessageCharacters = 262_144;

/** After a failed publish, tokens are gathered for this long before the next try. */
const pauseMs = 1_000;

/** The attempt of a worker at a call that frames belong to. The frames of a streamed call are stored for readers that come late or miss one. */
export interface FrameSource {
  callId: string;
  workerAttempt: number;
  streamed: boolean;
  /** Somebody waits for the start of the call, besides the reader of a stream. */
  asynchronous?: boolean;
}

/**
 * Publishes the frames of one attempt, in order. Tokens that come while a publish is in flight are published together, by the
 * next one: no delay when idle, fewer messages when busy. A frame whose publish failed is published again, unchanged, before any
 * other: a reader ignores it if it did arrive, and cannot get past its number if it did not.
 */
export class FramePublisher {
  private seq = 0;
  private readonly numbered: Piece[] = [];
  private readonly pending = new PendingDeltas();
  /** The frame that is being published, or whose publish failed. */
  private unpublished: Frame | undefined;
  private sending: Promise<void> | undefined;
  private pausing: NodeJS.Timeout | undefined;
  private readonly callEvents: CallEvents;
  private readonly source: FrameSource;

  constructor(callEvents: CallEvents, source: FrameSource) {
    this.callEvents = callEvents;
    this.source = source;
  }

  /** Publishes that the call has started, for a reader that waits for it. Does not wait for Redis. */
  publishStarted(): void {
    if (this.source.streamed || this.source.asynchronous)
      this.callEvents.publishStarted(this.source.callId).catch(() => undefined);
  }

  /** The pieces in which readers receive the answer. They are all there once it is complete. */
  get pieces(): Piece[] {
    return [...this.numbered, ...this.pending.pieces];
  }

  delta(delta: Delta): void {
    this.pending.add(publishedDelta(delta));
    this.send();
  }

  /** Resolves when the end is published, or when its publish has failed. */
  async end(result: CallResult): Promise<void> {
    await this.sending;
    clearTimeout(this.pausing);
    // Remaining frames are published together with the end, so that it waits for one timeout and not for one each.
    const remaining: Frame[] = [];
    for (let frame = this.unpublished ?? this.nextFrame(); frame; frame = this.nextFrame()) remaining.push(frame);
    remaining.push(this.frameOf({ type: 'end', end: withoutLongMessage(result) }));
    await Promise.allSettled(remaining.map((frame) => this.callEvents.publish(frame, this.source.streamed)));
  }

  private send(): void {
    this.sending ??= this.sendPending().finally(() => {
      this.sending = undefined;
    });
  }

  private async sendPending(): Promise<void> {
    while (!this.pausing) {
      this.unpublished ??= this.nextFrame();
      if (!this.unpublished) return;
      try {
        await this.callEvents.publish(this.unpublished, this.source.streamed);
        this.unpublished = undefined;
      } catch {
        this.pause();
      }
    }
  }

  private pause(): void {
    this.pausing = setTimeout(() => {
      this.pausing = undefined;
      this.send();
    }, pauseMs).unref();
  }

  private nextFrame(): Frame | undefined {
    const delta = this.pending.take();
    if (!delta) return undefined;
    pushAll(this.numbered, piecesOfDelta(delta));
    return this.frameOf({ type: 'delta', delta });
  }

  private frameOf(body: { type: 'delta'; delta: Delta } | { type: 'end'; end: CallResult }): Frame {
    const { callId, workerAttempt } = this.source;
    return { callId, attempt: workerAttempt, seq: this.seq++, ...body };
  }
}

/** A long message is omitted: readers take it from the record. */
function withoutLongMessage(result: CallResult): CallResult {
  if (result.status !== 'succeeded' || !result.message) return result;
  const ofStates = (result.message.states ?? []).reduce((sum, { length }) => sum + length, 0);
  if (lengthOfMessage(result.message) + ofStates <= maxMessageCharacters) return result;
  const { message: _, ...rest } = result;
  return rest;
}
