import type { CallEnd, Delta } from '../src/domain/frames.ts';
import type { FrameChannel } from '../src/redis/frames.ts';

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
    if (this.pending) await this.publish({ type: 'delta', delta: this.pending });
    await this.publish({ type: 'end', end });
  }

  private async sendPending(): Promise<void> {
    while (this.pending && Date.now() >= this.closedUntil) {
      const delta = this.pending;
      this.pending = undefined;
      await this.publish({ type: 'delta', delta });
    }
  }

  private async publish(body: { type: 'delta'; delta: Delta } | { type: 'end'; end: CallEnd }): Promise<void> {
    const frame = { callId: this.callId, attempt: this.attempt, seq: this.seq++, ...body };
    await this.frames.publish(frame, this.streamed).catch(() => {
      this.closedUntil = Date.now() + pauseMs;
    });
  }
}

/** Tool call pieces stay pieces: a reader appends them as they come. */
const merge = (first: Delta, second: Delta): Delta => {
  const content = (first.content ?? '') + (second.content ?? '');
  const toolCalls = [...(first.tool_calls ?? []), ...(second.tool_calls ?? [])];
  return { ...(content && { content }), ...(toolCalls.length > 0 && { tool_calls: toolCalls }) };
};
