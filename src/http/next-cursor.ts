import { encodeCursor, type ListPosition } from '../contracts/cursor.ts';
import type { RequestContext } from './route.ts';

/** The headers of an answer that is only an array. */
export const pageHeaders = { total: 'X-Total-Count', next: 'X-Next-Cursor' } as const;

/** The cursor of the next page, for the body of an answer. */
export const nextCursor = (next: ListPosition | null): string | null => next && encodeCursor(next);

/** The same for a list that was there before cursors: its answer has the field only where the request has a cursor. */
export const nextCursorIfPaged = (
  { cursor }: { cursor?: ListPosition | null | undefined },
  next: ListPosition | null,
) => (cursor === undefined ? {} : { next_cursor: nextCursor(next) });

/** The same, and the total if it was counted, for an answer that is only an array. */
export function setPageHeaders(
  { setHeader }: Pick<RequestContext, 'setHeader'>,
  { counted, next }: { counted: { total: number } | null; next: ListPosition | null },
): void {
  if (counted) setHeader(pageHeaders.total, String(counted.total));
  if (next) setHeader(pageHeaders.next, encodeCursor(next));
}
