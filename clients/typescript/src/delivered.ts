import type { ChatCompletionChunk, ChatCompletionChunkChoice, ChatCompletionChunkDelta } from './types.generated.ts';

/** A piece of a tool call: the pieces of one `index` belong together, and their `arguments` follow each other. */
export interface ToolCallPiece {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
}

/** An event of a stream. */
export interface CallChunk extends Omit<ChatCompletionChunk, 'choices'> {
  choices: Array<
    Omit<ChatCompletionChunkChoice, 'delta'> & {
      delta: Omit<ChatCompletionChunkDelta, 'tool_calls'> & { tool_calls?: ToolCallPiece[] | undefined };
    }
  >;
}

interface Progress {
  text: number;
  /** By the index of a tool call: how many characters of its arguments. */
  argumentsOf: Map<number, number>;
}

const none = (): Progress => ({ text: 0, argumentsOf: new Map() });

/**
 * What the program has of an answer. A stream that was cut may have to be read from its start, in other pieces: what the program has already
 * is then left out, character by character.
 */
export class Delivered {
  #all = none();
  /** Of the stream that is being read. */
  #read = none();
  #hasRole = false;
  #isFinished = false;

  get isEmpty(): boolean {
    return this.#all.text === 0 && this.#all.argumentsOf.size === 0;
  }

  /** The next chunks are those from the start of the answer. */
  startAgain(): void {
    this.#read = none();
  }

  /** The chunk without what was delivered; null if nothing is new. */
  take(chunk: CallChunk): CallChunk | null {
    const [choice] = chunk.choices;
    if (!choice) return chunk;
    const { role, content, tool_calls, ...others } = choice.delta;
    const text = this.#newText(content ?? '');
    const pieces = (tool_calls ?? []).flatMap((piece) => this.#newPiece(piece));
    const isFirst = !this.#hasRole && role !== undefined;
    const isFinal = !this.#isFinished && choice.finish_reason !== null;
    this.#hasRole ||= isFirst;
    this.#isFinished ||= isFinal;
    if (!text && pieces.length === 0 && !isFirst && !isFinal) return null;
    const delta = {
      ...(isFirst && { role, content: content === null ? null : '' }),
      ...(text && { content: text }),
      ...(pieces.length > 0 && { tool_calls: pieces }),
      ...others,
    };
    return { ...chunk, choices: [{ ...choice, delta }] };
  }

  #newText(text: string): string {
    this.#read.text += text.length;
    const count = Math.max(0, this.#read.text - this.#all.text);
    this.#all.text += count;
    return text.slice(text.length - count);
  }

  #newPiece(piece: ToolCallPiece): ToolCallPiece[] {
    const { index } = piece;
    const text = piece.function?.arguments ?? '';
    const isBegun = this.#all.argumentsOf.has(index);
    const read = (this.#read.argumentsOf.get(index) ?? 0) + text.length;
    this.#read.argumentsOf.set(index, read);
    const had = this.#all.argumentsOf.get(index) ?? 0;
    const count = Math.max(0, read - had);
    this.#all.argumentsOf.set(index, had + count);
    if (!isBegun) return [piece];
    return count > 0 ? [{ index, function: { arguments: text.slice(text.length - count) } }] : [];
  }
}
