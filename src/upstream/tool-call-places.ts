import { unreadable } from './upstream-error.ts';

/** What a chunk tells of one tool call. */
interface Piece {
  index: number;
  id?: string | null | undefined;
  function?: { name?: string | null | undefined } | null | undefined;
}

const mostToolCalls = 128;

/**
 * The place of each of a stream's tool calls in its message: 0, 1, 2 in the order in which they begin, whatever numbers the
 * upstream gives them. Some servers begin at 1; some give several the same number, or none: then a name under another id begins
 * another call.
 */
export class ToolCallPlaces {
  private readonly open = new Map<number, { id: string; place: number }>();
  private count = 0;

  of({ index, id, function: called }: Piece): number {
    const known = this.open.get(index);
    const isAnother = known?.id && id && id !== known.id && called?.name;
    if (known && !isAnother) {
      known.id ||= id ?? '';
      return known.place;
    }
    if (this.count === mostToolCalls) throw unreadable();
    const place = this.count;
    this.count += 1;
    this.open.set(index, { id: id ?? '', place });
    return place;
  }
}
