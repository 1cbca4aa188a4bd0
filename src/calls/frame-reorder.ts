import { deltasAfter } from '../domain/answer-parts.ts';
import type { Frame } from '../domain/call-event.ts';
import type { CallResult } from '../domain/call-result.ts';
import { append, type Delta, isEmptyMessage, type Message } from '../domain/chat-message.ts';
import { stopped } from '../domain/finish-reason.ts';

/** Frames that wait for an earlier one: a few seconds of the fastest stream. Those beyond come from Redis or the record. */
const maxEarlyFrames = 5_000;

/** What is to be sent to the client next. */
export type StreamOutput =
  | { type: 'delta'; delta: Delta }
  /** `finishedAt`: when it was recorded, where the reader needs it. */
  | { type: 'end'; end: CallResult; finishedAt?: Date | null }
  /** The rest of the answer cannot be delivered, and the call was ended as failed. */
  | { type: 'lost' }
  /** The rest of the answer cannot be delivered, and the call goes on or has succeeded: there is no truthful end of the stream. */
  | { type: 'broken' };

/**
 * Puts the frames of one call in order, each once, whatever messages were lost, repeated or reordered. Keeps what was sent, so
 * that the record can supply what is missing. Pure; one for each reader.
 */
export class FrameReorder {
  private attempt = 0;
  private nextSeq = 0;
  private readonly early = new Map<number, Frame>();
  private readonly sent: Message = { content: '' };
  private isEnded = false;

  /** A frame waits for an earlier one that has not arrived. */
  get hasGap(): boolean {
    return !this.isEnded && this.early.size > 0;
  }

  get isOver(): boolean {
    return this.isEnded;
  }

  accept(frame: Frame): StreamOutput[] {
    if (this.isEnded || frame.attempt < this.attempt) return [];
    if (frame.attempt > this.attempt) this.switchTo(frame.attempt);
    // Of an attempt after one that has sent a token, only the result counts.
    if (frame.type === 'end' && this.hasSent && frame.seq < this.nextSeq) return this.finish(frame.end);
    if (frame.seq < this.nextSeq) return [];
    if (this.early.size >= maxEarlyFrames && frame.seq !== this.nextSeq) return [];
    this.early.set(frame.seq, frame);
    return this.takeInOrder();
  }

  /** Ends with the result from the record, with the whole message: outputs what was not sent yet. */
  finish(result: CallResult): StreamOutput[] {
    if (this.isEnded) return [];
    this.isEnded = true;
    this.early.clear();
    const message = 'message' in result ? result.message : undefined;
    const missing = message ? deltasAfter(message, this.sentOf(result, message)) : [];
    // An error may follow anything that was sent before it.
    if (!missing && result.status === 'succeeded') return [{ type: 'broken' }];
    return [...(missing ?? []).map((delta) => ({ type: 'delta' as const, delta })), { type: 'end', end: result }];
  }

  /** What was sent, but for pieces of tool calls that were incomplete when the call was stopped, which are not recorded. */
  private sentOf(result: CallResult, { toolCalls = [] }: Message): Message {
    if (result.status !== 'succeeded' || result.finishReason !== stopped || !this.sent.toolCalls) return this.sent;
    return { ...this.sent, toolCalls: this.sent.toolCalls.slice(0, toolCalls.length) };
  }

  /** No more frames will arrive. */
  endIncomplete(type: 'lost' | 'broken'): StreamOutput[] {
    if (this.isEnded) return [];
    this.isEnded = true;
    return [{ type }];
  }

  private get hasSent(): boolean {
    return !isEmptyMessage(this.sent);
  }

  private switchTo(attempt: number): void {
    this.attempt = attempt;
    this.early.clear();
    // If nothing was sent yet, the new attempt starts at its first frame. Otherwise none of its deltas may be sent.
    this.nextSeq = this.hasSent ? Number.MAX_SAFE_INTEGER : 0;
  }

  private takeInOrder(): StreamOutput[] {
    const outputs: StreamOutput[] = [];
    for (let frame = this.early.get(this.nextSeq); frame; frame = this.early.get(this.nextSeq)) {
      this.early.delete(this.nextSeq);
      this.nextSeq += 1;
      if (frame.type === 'end') {
        this.isEnded = true;
        this.early.clear();
        outputs.push({ type: 'end', end: frame.end });
        break;
      }
      append(this.sent, frame.delta);
      outputs.push({ type: 'delta', delta: frame.delta });
    }
    return outputs;
  }
}
