import { maxToolCalls, type ToolCallDelta } from '../../domain/chat-message.ts';
import { unreadable } from '../upstream-error.ts';
import type { CalledTool } from './completion.ts';
import { ToolCall } from './tool-call.ts';

/**
 * The tool calls of an answer: 0, 1, 2 in the order in which they begin, whatever index the upstream sends, and whichever choice they
 * are in. Some servers begin at 1; some send the same index for several tool calls, or none. Each has an id: the upstream's, or one of
 * ours that is the same wherever the answer is shown. What is repeated is passed on once, because clients join what they receive.
 */
export class ToolCalls {
  private readonly calls: ToolCall[] = [];
  /** The tool call that a choice and the upstream's index stand for now. There are no more keys than tool calls. */
  private readonly open = new Map<string, ToolCall>();
  private readonly takenIds = new Set<string>();
  private readonly callId: string;

  constructor(callId: string) {
    this.callId = callId;
  }

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  /** The pieces of tool calls in one chunk. */
  delta(choice: number | string, pieces: readonly CalledTool[]): ToolCallDelta[] {
    return pieces.flatMap((piece, position) => {
      const key = `${choice}:${piece.index ?? 0}`;
      const isMarked = Boolean(piece.id || piece.name);
      const current = this.open.get(key) ?? (isMarked ? undefined : this.openElsewhere(piece.index ?? 0));
      // Of several without an index in one chunk, each that has a name is a tool call.
      const isNext = piece.index === undefined && position > 0 && piece.name !== '' && !current?.hasId(piece.id);
      const isKnown = current && !isNext && !current.isOver(piece);
      const call = isKnown ? current : this.begin(choice, piece);
      if (!isKnown) this.open.set(key, call);
      return this.inOrder(call, () => call.addPiece(piece));
    });
  }

  /** The tool calls in a message, which contains all of them or all of them so far. */
  message(choice: number | string, pieces: readonly CalledTool[]): ToolCallDelta[] {
    return pieces.flatMap((piece, position) => {
      const ofChoice = this.calls.filter((one) => one.choice === choice);
      const candidate = ofChoice.find((one) => one.hasId(piece.id)) ?? ofChoice[position];
      const call = candidate && !candidate.hasOtherId(piece) ? candidate : this.begin(choice, piece);
      return this.inOrder(call, () => call.addMessage(piece));
    });
  }

  /** The ids and names that have not been passed on, because something else follows them. */
  beginAll(): ToolCallDelta[] {
    return this.calls.flatMap((call) => call.begin());
  }

  /** What is left when the answer has ended. */
  end(): ToolCallDelta[] {
    return this.calls.flatMap((call) => call.end());
  }

  /** Those before it begin first: a client appends a tool call to the ones that it has. */
  private inOrder(call: ToolCall, add: () => ToolCallDelta[]): ToolCallDelta[] {
    if (call.hasBegun) return add();
    const added = add();
    const before = added.length > 0 ? this.calls.slice(0, this.calls.indexOf(call)) : [];
    return [...before.flatMap((one) => one.begin()), ...added];
  }

  /** Older versions of TGI number the choices by tokens: a piece without a mark continues a tool call of another choice. */
  private openElsewhere(index: number): ToolCall | undefined {
    let last: ToolCall | undefined;
    for (const [key, call] of this.open) if (key.endsWith(`:${index}`)) last = call;
    return last;
  }

  private begin(choice: number | string, { isFunctionCall }: CalledTool): ToolCall {
    if (this.calls.length === maxToolCalls) throw unreadable();
    const index = this.calls.length;
    const ownId = `call_${this.callId.replaceAll('-', '')}${index}`;
    const call = new ToolCall({ index, choice, isFunctionCall, ownId, takenIds: this.takenIds });
    this.calls.push(call);
    return call;
  }
}
