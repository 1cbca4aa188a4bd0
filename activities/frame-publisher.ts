import { shorten } from '../src/domain/calls.ts';
import type { CallEnd, Delta, Frame } from '../src/domain/frames.ts';
import type { FrameChannel } from '../src/redis/frames.ts';

/** Characters of a frame: ten megabytes at once would hold Redis, and everybody behind them, for longer than it is given. */
const largestDelta = 65_536;
const largestMessage = 262_144;

/** After Redis has not taken a frame, tokens are gathered this long before it is tried again. */
const pauseMs = 1_000;

/** `attempt` of a call. What is streamed is kept for readers that come late or missed something. */
export interface Speaker {
  callId: string;
  attempt: number;
  streamed: boolean;
}

/**
 * Says what one attempt of a call has to say, in order. Tokens that come while a publish is under way leave together
 * with the next one: no delay when idle, fewer messages when busy. A frame that Redis did not take is said again before any
 * other, the same: a reader ignores it when it had come after all, and could not get past its number when it had not.
 */
export class FramePublisher {
  private seq = 0;
  private pending: Delta | undefined;
  /** On its way, or not taken. */
  private unsaid: Frame | undefined;
  private sending: Promise<void> | undefined;
  private pausing: NodeJS.Timeout | undefined;
  private readonly frames: FrameChannel;
  private readonly speaker: Speaker;

  constructor(frames: FrameChannel, speaker: Speaker) {
    this.frames = frames;
    this.speaker = speaker;
  }

  begun(): void {
    if (this.speaker.streamed) this.frames.sayBegun(this.speaker.callId).catch(() => undefined);
  }

  delta(delta: Delta): void {
    this.pending = this.pending ? merge(this.pending, delta) : delta;
    this.send();
  }

  /** The last word. Resolves when it is out, or when Redis would not take it. */
  async end(end: CallEnd): Promise<void> {
    await this.sending;
    clearTimeout(this.pausing);
    // What Redis has not taken goes with the end, all at once: its reader waits for one time-out and not for each.
    const left: Frame[] = [];
    for (let frame = this.unsaid ?? this.nextFrame(); frame; frame = this.nextFrame()) left.push(frame);
    left.push(this.frameOf({ type: 'end', end: withoutMuch(end) }));
    await Promise.allSettled(left.map((frame) => this.frames.publish(frame, this.speaker.streamed)));
  }

  private send(): void {
    this.sending ??= this.sendPending().finally(() => {
      this.sending = undefined;
    });
  }

  private async sendPending(): Promise<void> {
    while (!this.pausing) {
      this.unsaid ??= this.nextFrame();
      if (!this.unsaid) return;
      try {
        await this.frames.publish(this.unsaid, this.speaker.streamed);
        this.unsaid = undefined;
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

  /** Of what is pending, or of as much of its text as a frame holds, cut between characters. */
  private nextFrame(): Frame | undefined {
    if (!this.pending) return undefined;
    const { content = '', ...rest } = this.pending;
    const first = shorten(content, largestDelta);
    if (first.length < content.length) {
      this.pending = { content: content.slice(first.length), ...rest };
      return this.frameOf({ type: 'delta', delta: { content: first } });
    }
    this.pending = undefined;
    return this.frameOf({ type: 'delta', delta: { ...(content && { content }), ...rest } });
  }

  private frameOf(body: { type: 'delta'; delta: Delta } | { type: 'end'; end: CallEnd }): Frame {
    const { callId, attempt } = this.speaker;
    return { callId, attempt, seq: this.seq++, ...body };
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
