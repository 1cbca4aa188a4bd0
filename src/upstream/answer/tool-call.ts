import type { ToolCallDelta } from '../../domain/chat-message.ts';
import { unreadable } from '../upstream-error.ts';
import type { CalledTool } from './completion.ts';
import { GrowingText } from './growing-text.ts';
import { JsonProgress } from './json-progress.ts';

/** A longer name is none. */
const maxNameCharacters = 65_536;
/** An upstream's longer id is replaced. `spec 17.18` */
const maxIdCharacters = 16_384;

/** What of a piece identifies its tool call, and its texts. */
export type ToolCallPiece = Pick<CalledTool, 'index' | 'id' | 'name' | 'arguments'>;

export interface ToolCallOrigin {
  index: number;
  choice: number | string;
  isFunctionCall: boolean;
  /** Its id where the upstream gives none that can be used. */
  ownId: string;
  /** The ids of the other tool calls of the answer. */
  takenIds: Set<string>;
}

/**
 * One tool call of an answer, as far as it has arrived. Its id and name are passed on together with the first piece of its arguments,
 * because clients take both from the first piece that they get, and a name may come in several.
 */
export class ToolCall {
  readonly choice: number | string;
  private readonly origin: ToolCallOrigin;
  private id = '';
  private name = '';
  private isBegun = false;
  private readonly json = new GrowingText();
  private readonly progress = new JsonProgress();

  constructor(origin: ToolCallOrigin) {
    this.origin = origin;
    this.choice = origin.choice;
  }

  /** Its id and name have been passed on, and change no more. */
  get hasBegun(): boolean {
    return this.isBegun;
  }

  /** Whether the ids contradict each other. */
  hasOtherId({ id }: ToolCallPiece): boolean {
    return Boolean(id && this.id && id !== this.id);
  }

  hasId(id: string | undefined): boolean {
    return id !== undefined && id !== '' && this.id === id;
  }

  /**
   * Whether the piece, which was sent for the same index of the upstream or without one, begins another tool call. Only a name can: it
   * comes before the arguments, so after them it belongs to another call, unless it is repeated with every piece.
   */
  isOver(piece: ToolCallPiece): boolean {
    const { id, name, index, arguments: json } = piece;
    if (name === '') return false;
    if (id && this.id) return id !== this.id;
    if (this.json.isEmpty) return false;
    const isOther = name !== this.name && index !== undefined;
    if (!this.progress.isComplete) return isOther;
    return json.trim() === '' ? isOther || index === undefined : !this.json.equals(json);
  }

  /** What a piece adds. */
  addPiece(piece: ToolCallPiece): ToolCallDelta[] {
    const { arguments: json } = piece;
    // Some servers send the whole arguments again at the end.
    const isRepeated = this.progress.isComplete && this.json.equals(json);
    return this.add(piece, isRepeated ? '' : this.json.delta(json));
  }

  /** What is new in the tool call of a message, which has all of it or all of it so far. */
  addMessage(piece: ToolCallPiece): ToolCallDelta[] {
    return this.add(piece, this.json.message(piece.arguments));
  }

  /** Passes on the id and the name, if that has not been done yet. */
  begin(json = ''): ToolCallDelta[] {
    const { index, isFunctionCall } = this.origin;
    if (this.isBegun) return json === '' ? [] : [{ index, function: { arguments: json } }];
    this.isBegun = true;
    const called = { name: this.name.toWellFormed(), arguments: json };
    const head = { index, id: this.takeId(), type: 'function' as const, function: called };
    return [isFunctionCall ? { ...head, isFunctionCall } : head];
  }

  /** The tool call has ended. One without arguments has an empty object. */
  end(): ToolCallDelta[] {
    return this.begin(this.json.isBlank ? this.json.delta('{}') : '');
  }

  private takeId(): string {
    const { ownId, takenIds } = this.origin;
    const id = this.id.toWellFormed();
    const shown = id === '' || id.length > maxIdCharacters || takenIds.has(id) ? ownId : id;
    takenIds.add(shown);
    return shown;
  }

  private add({ id, name }: ToolCallPiece, added: string): ToolCallDelta[] {
    if (!this.isBegun) {
      this.id ||= id ?? '';
      this.addName(name);
    }
    this.progress.add(added);
    return added === '' ? [] : this.begin(added);
  }

  /** A name comes whole, in pieces, growing, or again with each piece. */
  private addName(name: string): void {
    if (name === this.name) return;
    this.name = name.startsWith(this.name) ? name : this.name + name;
    if (this.name.length > maxNameCharacters) throw unreadable();
  }
}
