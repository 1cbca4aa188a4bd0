import { shorten } from '../src/domain/calls.ts';
import type { CallEnd, Delta } from '../src/domain/frames.ts';
import type { FrameChannel } from '../src/redis/frames.ts';

/** Characters of a frame: ten megabytes at once would hold Redis, and everybody behind them, for longer than it is given. */
const largestDelta = 65_536;
const largestMessage = 262_144;

/** After Redis has not answered, tokens are gathered this long before it is tried again. */
const pauseMs = 1_000;

/**
 * Says what one attempt of a call has to say, in order. Tokens that come while a publish is under way leave together
 * with the next one: no delay when idle, fewer messages when busy. Redis losing one is mended by the reader.
 */
export class FramePublisher {
  private seq = 0;
  private pending: Delta | undefined;
  private sending: Promise<void> | undefined;
  private closedUntil = 0;
  private readonly frames: FrameChannel;
  private readonly callId: string;
  private readonly attempt: number;
  private readonly streamed: boolean;

  constructor(frames: FrameChannel, callId: string, attempt: number, streamed: boolean) {
    this.frames = frames;
    this.callId = callId;
    this.attempt = attempt;
    this.streamed = streamed;
  }

  delta(delta: Delta): void {
    this.pending = this.pending ? merge(this.pending, delta) : delta;
    this.sending ??= this.sendPending().finally(() => {
      this.sending = undefined;
    });
  }

  /** The last word. Resolves when it is out, or when Redis would not take it. */
  async end(end: CallEnd): Promise<void> {
    await this.sending;
    // Even while Redis is left alone: a number must go with these tokens, or the end would seem to follow the ones before.
    while (this.pending)
      await this.publish({ type: 'delta', delta: this.take(this.isClosed ? Infinity : largestDelta) });
    await this.publish({ type: 'end', end: withoutMuch(end) });
  }

  private async sendPending(): Promise<void> {
    while (this.pending && !this.isClosed) await this.publish({ type: 'delta', delta: this.take(largestDelta) });
  }

  private get isClosed(): boolean {
    return Date.now() < this.closedUntil;
  }

  /** What is pending, or as much of its text as a frame holds, cut between characters. */
  private take(atMost: number): Delta {
    const { content = '', ...rest } = this.pending ?? {};
    if (content.length <= atMost) {
      this.pending = undefined;
      return { ...(content && { content }), ...rest };
    }
    const first = shorten(content, atMost);
    this.pending = { content: content.slice(first.length), ...rest };
    return { content: first };
  }

  private async publish(body: { type: 'delta'; delta: Delta } | { type: 'end'; end: CallEnd }): Promise<void> {
    const frame = { callId: this.callId, attempt: this.attempt, seq: this.seq++, ...body };
    await this.frames.publish(frame, this.streamed).catch(() => {
      this.closedUntil = Date.now() + pauseMs;
    });
  }
}

/** A long message is read from the record instead. */
function withoutMuch(end: CallEnd): CallEnd {
  if (end.status !== 'succeeded' || (end.message?.content.length ?? 0) <= largestMessage) return end;
  const { message: _, ...rest } = end;
  return rest;
}

/** Tool call pieces stay pieces: a reader appends them as they come. */
const merge = (first: Delta, second: Delta): Delta => {
  const content = (first.content ?? '') + (second.content ?? '');
  const toolCalls = [...(first.tool_calls ?? []), ...(second.tool_calls ?? [])];
  return { ...(content && { content }), ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
};
