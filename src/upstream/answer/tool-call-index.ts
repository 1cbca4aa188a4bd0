import { maxToolCalls } from '../../domain/chat-message.ts';
import { unreadable } from '../upstream-error.ts';
import { GrowingText } from './growing-text.ts';

/** What a chunk of a stream contains of one tool call. */
interface ToolCallChunk {
  index?: number | null | undefined;
  id?: string | null | undefined;
  function?: { name?: string | null | undefined; arguments?: string | null | undefined } | null | undefined;
}

/** What a chunk adds to a tool call of the message. */
export interface ResolvedToolCall {
  index: number;
  /** The id and the name, where earlier chunks did not have them. */
  id?: string;
  name?: string;
  arguments: string;
  /** The chunk begins the tool call. */
  isNew: boolean;
}

interface ToolCall {
  id: string;
  name: string;
  index: number;
  choice: number | string;
  arguments: GrowingText;
}

/**
 * The index of each tool call of a stream in its message: 0, 1, 2 in the order in which they begin, whatever index the upstream
 * sends, and whichever choice they are in. Some servers begin at 1; some send the same index for several tool calls, or none.
 * There, a name with another id begins a new tool call, and so does a name without id and index. Some repeat id and name in every
 * chunk; they are passed on once, because clients concatenate what they receive.
 */
export class ToolCallIndex {
  private readonly calls: ToolCall[] = [];
  /** The tool call that a choice and the upstream's index stand for now. There are no more keys than tool calls. */
  private readonly open = new Map<string, ToolCall>();

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  /** A piece of a tool call. */
  delta(choice: number | string, chunk: ToolCallChunk): ResolvedToolCall {
    const key = `${choice}:${chunk.index ?? 0}`;
    const isMarked = Boolean(chunk.id || chunk.function?.name);
    const current = this.open.get(key) ?? (isMarked ? undefined : this.openElsewhere(chunk.index ?? 0));
    const isKnown = current && !isAnother(chunk, current);
    const call = isKnown ? current : this.begin(choice);
    if (!isKnown) this.open.set(key, call);
    return resolve(call, chunk, call.arguments.delta(chunk.function?.arguments ?? ''), !isKnown);
  }

  /** A tool call in a message, which contains all of it or all of it so far; `position` is that among those of the message. */
  message(choice: number | string, position: number, chunk: ToolCallChunk): ResolvedToolCall {
    const ofChoice = this.calls.filter((one) => one.choice === choice);
    const candidate = ofChoice.find(({ id }) => id && id === chunk.id) ?? ofChoice[position];
    const isKnown = candidate && (!chunk.id || !candidate.id || chunk.id === candidate.id);
    const call = isKnown ? candidate : this.begin(choice);
    return resolve(call, chunk, call.arguments.message(chunk.function?.arguments ?? ''), !isKnown);
  }

  /** Older versions of TGI number the choices by tokens: a piece without a mark continues a tool call of another choice. */
  private openElsewhere(index: number): ToolCall | undefined {
    let last: ToolCall | undefined;
    for (const [key, call] of this.open) if (key.endsWith(`:${index}`)) last = call;
    return last;
  }

  private begin(choice: number | string): ToolCall {
    if (this.calls.length === maxToolCalls) throw unreadable();
    const call = { id: '', name: '', index: this.calls.length, choice, arguments: new GrowingText() };
    this.calls.push(call);
    return call;
  }
}

function isAnother({ index, id, function: called }: ToolCallChunk, current: ToolCall): boolean {
  const name = called?.name;
  if (!name) return false;
  if (id) return current.id !== '' && id !== current.id;
  // A name comes before the arguments, so another one after them is that of another tool call.
  return typeof index !== 'number' || (name !== current.name && !current.arguments.isEmpty);
}

function resolve(call: ToolCall, { id, function: called }: ToolCallChunk, added: string, isNew: boolean) {
  const name = called?.name ?? '';
  const resolved = {
    index: call.index,
    ...(id && !call.id && { id }),
    ...(name && !call.name && { name }),
    arguments: added,
    isNew,
  };
  call.id ||= id ?? '';
  call.name ||= name;
  return resolved;
}
