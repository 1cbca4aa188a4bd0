import { unreadable } from './upstream-error.ts';

/** What a chunk tells of one tool call. */
interface Piece {
  index?: number | null | undefined;
  id?: string | null | undefined;
  function?: { name?: string | null | undefined } | null | undefined;
}

/** Where a piece belongs, and what of its id and name was not said before. */
interface Placed {
  place: number;
  id?: string;
  name?: string;
}

const mostToolCalls = 128;

/**
 * The place of each of a stream's tool calls in its message: 0, 1, 2 in the order in which they begin, whatever numbers the
 * upstream gives them. Some servers begin at 1; some give several the same number, or none: then a name under another id begins
 * another call, as does one without id and number. Some repeat id and name in every chunk; clients put together what they are sent.
 */
export class ToolCallIndex {
  private readonly open = new Map<number, { id: string; name: string; place: number }>();
  private count = 0;

  of({ index: given, id, function: called }: Piece): Placed {
    const index = given ?? 0;
    const name = called?.name ?? '';
    const known = this.open.get(index);
    const isUnmarked = !id && typeof given !== 'number';
    const isAnother = name && (isUnmarked || (known?.id && id && id !== known.id));
    if (known && !isAnother) {
      const placed = {
        place: known.place,
        ...(id && !known.id && { id }),
        ...(name && name !== known.name && { name }),
      };
      known.id ||= id ?? '';
      known.name ||= name;
      return placed;
    }
    if (this.count === mostToolCalls) throw unreadable();
    const place = this.count;
    this.count += 1;
    this.open.set(index, { id: id ?? '', name, place });
    return { place, ...(id && { id }), ...(name && { name }) };
  }
}
