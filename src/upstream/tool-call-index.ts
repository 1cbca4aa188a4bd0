import { unreadable } from './upstream-error.ts';

/** What a chunk of a stream contains of one tool call. */
interface ToolCallChunk {
  index?: number | null | undefined;
  id?: string | null | undefined;
  function?: { name?: string | null | undefined } | null | undefined;
}

/** The index of the tool call in the message, with its id and name where earlier chunks did not have them. */
interface Resolved {
  index: number;
  id?: string;
  name?: string;
}

const maxToolCalls = 128;

/**
 * The index of each tool call of a stream in its message: 0, 1, 2 in the order in which they begin, whatever index the upstream
 * sends. Some servers begin at 1; some send the same index for several tool calls, or none. There, a name with another id begins a
 * new tool call, and so does a name without id and index. Some repeat id and name in every chunk; they are passed on once,
 * because clients concatenate what they receive.
 */
export class ToolCallIndex {
  /** By the upstream's index, the tool call that it stands for now. */
  private readonly open = new Map<number, { id: string; name: string; index: number }>();
  private count = 0;

  resolve({ index: sentIndex, id, function: called }: ToolCallChunk): Resolved {
    const key = sentIndex ?? 0;
    const name = called?.name ?? '';
    const current = this.open.get(key);
    const isUnmarked = !id && typeof sentIndex !== 'number';
    const isAnother = name && (isUnmarked || (current?.id && id && id !== current.id));
    if (current && !isAnother) {
      const resolved = {
        index: current.index,
        ...(id && !current.id && { id }),
        ...(name && name !== current.name && { name }),
      };
      current.id ||= id ?? '';
      current.name ||= name;
      return resolved;
    }
    if (this.count === maxToolCalls) throw unreadable();
    const index = this.count;
    this.count += 1;
    this.open.set(key, { id: id ?? '', name, index });
    return { index, ...(id && { id }), ...(name && { name }) };
  }
}
