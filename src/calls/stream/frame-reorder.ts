import type { Frame } from '../../domain/call-event.ts';
import type { CallEnd } from '../../domain/call-result.ts';
import type { Delta, Message, ToolCall, ToolCallDelta } from '../../domain/chat-message.ts';
import { append } from '../../domain/chat-message.ts';

/** Frames that wait for an earlier one: a few seconds of the fastest stream. Those beyond come from Redis or the record. */
const mostEarly = 5_000;

/** What the client is to be sent next. */
export type Output =
  | { type: 'delta'; delta: Delta }
  | { type: 'end'; end: CallEnd }
  /** The stream ends although the call may go on: the rest of the answer cannot be delivered. */
  | { type: 'lost' };

/** The rest of `whole` after `sent`; undefined when `sent` is not its beginning. */
const rest = (whole: string, sent: string): string | undefined =>
  whole.startsWith(sent) ? whole.slice(sent.length) : undefined;

/**
 * Puts the frames of one call in order, each once, however messages were lost, doubled or shuffled. Keeps what was sent, so
 * that the record can supply what is missing. Pure; one per reader.
 */
export class FrameReorder {
  private attempt = 0;
  private nextSeq = 0;
  private readonly early = new Map<number, Frame>();
  private readonly sent: Message = { content: '' };
  private ended = false;

  /** A frame waits for an earlier one that has not arrived. */
  get hasGap(): boolean {
    return !this.ended && this.early.size > 0;
  }

  get isOver(): boolean {
    return this.ended;
  }

  accept(frame: Frame): Output[] {
    if (this.ended || frame.attempt < this.attempt) return [];
    if (frame.attempt > this.attempt) this.turnTo(frame.attempt);
    // An attempt after one that has shown a token only tells how the call ended.
    if (frame.type === 'end' && this.hasSent && frame.seq < this.nextSeq) return this.finish(frame.end);
    if (frame.seq < this.nextSeq) return [];
    if (this.early.size >= mostEarly && frame.seq !== this.nextSeq) return [];
    this.early.set(frame.seq, frame);
    return this.takeInOrder();
  }

  /** Takes the call's end from the record, with the whole message: sends what was not sent yet. */
  finish(end: CallEnd): Output[] {
    if (this.ended) return [];
    this.ended = true;
    this.early.clear();
    const message = 'message' in end ? end.message : undefined;
    const missing = message ? this.missingFrom(message) : [];
    // An error may follow anything that was sent before it.
    if (!missing && end.status === 'succeeded') return [{ type: 'lost' }];
    return [...(missing ?? []).map((delta) => ({ type: 'delta' as const, delta })), { type: 'end', end }];
  }

  /** No more frames will arrive. */
  giveUp(): Output[] {
    if (this.ended) return [];
    this.ended = true;
    return [{ type: 'lost' }];
  }

  private get hasSent(): boolean {
    return this.sent.content !== '' || Boolean(this.sent.toolCalls?.length);
  }

  private turnTo(attempt: number): void {
    this.attempt = attempt;
    this.early.clear();
    // If nothing was sent yet, the new attempt starts at its first frame. Otherwise none of its deltas may be sent.
    this.nextSeq = this.hasSent ? Number.MAX_SAFE_INTEGER : 0;
  }

  private takeInOrder(): Output[] {
    const outputs: Output[] = [];
    for (let frame = this.early.get(this.nextSeq); frame; frame = this.early.get(this.nextSeq)) {
      this.early.delete(this.nextSeq);
      this.nextSeq += 1;
      if (frame.type === 'end') {
        this.ended = true;
        this.early.clear();
        outputs.push({ type: 'end', end: frame.end });
        break;
      }
      append(this.sent, frame.delta);
      outputs.push({ type: 'delta', delta: frame.delta });
    }
    return outputs;
  }

  /** The part of `message` that was not sent; undefined when what was sent is not its beginning. */
  private missingFrom(message: Message): Delta[] | undefined {
    const content = rest(message.content, this.sent.content);
    const toolCalls = (message.toolCalls ?? []).map((call, index) => this.missingOfToolCall(call, index));
    if (content === undefined || toolCalls.includes(undefined)) return undefined;
    const pieces = toolCalls.flatMap((missing) => missing ?? []);
    const deltas: Delta[] = content ? [{ content }] : [];
    return pieces.length > 0 ? [...deltas, { tool_calls: pieces }] : deltas;
  }

  private missingOfToolCall(call: ToolCall, index: number): ToolCallDelta[] | undefined {
    const sent = this.sent.toolCalls?.[index];
    if (!sent) return [{ index, ...call }];
    const missing = rest(call.function.arguments, sent.function.arguments);
    if (missing === undefined) return undefined;
    return missing === '' ? [] : [{ index, function: { arguments: missing } }];
  }
}
