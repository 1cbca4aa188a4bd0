import type { CallResult } from '../../../domain/call-result.ts';
import type { Delta, ToolCallDelta } from '../../../domain/chat-message.ts';
import { stopped } from '../../../domain/finish-reason.ts';

/** What of a stream has been sent besides texts: nothing of its end, the chunk or the error that ends it, or all of it. */
type Stage = 'answer' | 'ended' | 'done';
const stages: readonly Stage[] = ['answer', 'ended', 'done'];

/**
 * How much of the answer of a call a client has: the position of an event in its stream, wherever the texts were cut into events. As the
 * `id` of an event it is opaque to clients. `spec 26.8`
 */
export class AnswerPosition {
  stage: Stage = 'answer';
  /** The first chunk, which has the role, was sent. */
  hasBegun = false;
  private content = 0;
  private refusal = 0;
  /** The characters of the arguments of each tool call that was begun. */
  private readonly toolCalls: number[] = [];

  /** Undefined: it is not the id of an event of this call. */
  static parse(id: string, callId: string): AnswerPosition | undefined {
    try {
      const parts: unknown = JSON.parse(Buffer.from(id, 'base64url').toString());
      const isId = Array.isArray(parts) && parts.slice(1).every((part) => Number.isSafeInteger(part) && part >= 0);
      if (!isId || parts[0] !== beginningOf(callId) || parts.length < 5) return undefined;
      const [, stage, begun, content, refusal, ...toolCalls] = parts as [string, ...number[]];
      const position = new AnswerPosition();
      position.stage = stages[stage!]!;
      position.hasBegun = begun === 1;
      position.content = content!;
      position.refusal = refusal!;
      position.toolCalls.push(...toolCalls);
      return position.stage && id === position.idOf(callId) ? position : undefined;
    } catch {
      return undefined;
    }
  }

  idOf(callId: string): string {
    const counts = [stages.indexOf(this.stage), Number(this.hasBegun), this.content, this.refusal, ...this.toolCalls];
    return Buffer.from(JSON.stringify([beginningOf(callId), ...counts])).toString('base64url');
  }

  /**
   * Whether the client claims to have more than the whole answer. Of a call whose worker was lost nothing is recorded of what it had
   * produced: there the position is that of a client that has received it. One that was stopped has shown pieces of tool calls that are
   * not recorded.
   */
  isBeyond(result: CallResult): boolean {
    if (result.status === 'failed' && !result.message) return false;
    const { content = '', refusal = '', toolCalls = [] } = ('message' in result && result.message) || {};
    const wasStopped = result.status === 'succeeded' && result.finishReason === stopped;
    return (
      this.content > content.length ||
      this.refusal > refusal.length ||
      (!wasStopped &&
        this.toolCalls.some((count, index) => count > (toolCalls[index]?.function.arguments.length ?? -1)))
    );
  }

  /** The part of the next delta, counted from the beginning of the answer, that the client does not have; it has it then. */
  take(delta: Delta, from: AnswerPosition): Delta {
    const { content, refusal, tool_calls } = delta;
    const pieces = (tool_calls ?? []).flatMap((piece) => this.takeOfToolCall(piece, from));
    return {
      ...this.takeText('content', content, from),
      ...this.takeText('refusal', refusal, from),
      ...(pieces.length > 0 && { tool_calls: pieces }),
    };
  }

  private takeText(field: 'content' | 'refusal', text: string | undefined, from: AnswerPosition): Delta {
    if (!text) return {};
    const missing = text.slice(Math.max(0, this[field] - from[field]));
    from[field] += text.length;
    this[field] = Math.max(this[field], from[field]);
    return missing ? { [field]: missing } : {};
  }

  private takeOfToolCall(piece: ToolCallDelta, from: AnswerPosition): ToolCallDelta[] {
    const { index, function: called } = piece;
    const text = called?.arguments ?? '';
    const isKnown = this.toolCalls[index] !== undefined;
    const missing = text.slice(Math.max(0, (this.toolCalls[index] ?? 0) - (from.toolCalls[index] ?? 0)));
    from.toolCalls[index] = (from.toolCalls[index] ?? 0) + text.length;
    this.toolCalls[index] = Math.max(this.toolCalls[index] ?? 0, from.toolCalls[index]);
    if (!isKnown) return [piece];
    return missing ? [{ index, function: { arguments: missing } }] : [];
  }
}

const beginningOf = (callId: string): string => callId.slice(0, 8);
