import { z } from 'zod';
import { namedEnum, text } from './fields.ts';

/** Pages by a position instead of an offset: `spec 19.21`. */

/** The values of a list's order at one of its rows, as texts; null where the row has none. `order` names that order. */
export interface ListPosition {
  order: string;
  values: readonly (string | null)[];
}

const Encoded = z.tuple([z.string()], z.string().nullable());

export const encodeCursor = ({ order, values }: ListPosition): string =>
  Buffer.from(JSON.stringify([order, ...values])).toString('base64url');

/** Undefined for a text that `encodeCursor` did not make. */
function decodeCursor(text: string): ListPosition | undefined {
  try {
    const { data } = Encoded.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return data && { order: data[0], values: data.slice(1) };
  } catch {
    return undefined;
  }
}

/** An order has few columns, and the longest are ids that clients chose. */
const maxCursorCharacters = 4_096;

/** A cursor is parsed to the position after which the page begins; to null where it is the first page. */
export const Cursor = z
  .string()
  .max(maxCursorCharacters, { abort: true })
  .transform((text, context): ListPosition | null => {
    if (text === '') return null;
    const position = decodeCursor(text);
    if (position) return position;
    context.addIssue({ code: 'custom', message: 'Input should be a next_cursor of this list' });
    return z.NEVER;
  })
  .describe(
    'Where the page begins: the `next_cursor` of the page before, with the same filters and order. Empty: the first page. ' +
      'A page by cursor is found as fast at any depth. Not together with an `offset`',
  );

const CountMode = namedEnum('CountMode', ['exact', 'none']);

/** The field of a query by which an answer has a `total`. */
const Count = CountMode.default('exact').describe(
  '`none` leaves out the total, which then is null: counting may take longer than reading a page',
);

/** A `refine` of a query that has an `offset` too: a page begins at one position. */
export const beginsOnce = ({ cursor, offset }: { cursor?: ListPosition | null | undefined; offset: number }): boolean =>
  cursor === undefined || offset === 0;
export const beginsTwice = { path: ['offset'], message: 'offset cannot be combined with cursor' };

/** The parameters of a page by cursor. */
export const cursorPage = { cursor: Cursor.optional(), count: Count };

export const next_cursor = text(
  'The `cursor` of the next page; null at the end of the list',
  'WyJuZXdlc3QiLCIyMDI2LTAxLTMxVDA5OjMwOjAwLjAwMDAwMFoiXQ',
).nullable();

/** The field in lists that were there before cursors. */
export const shownWithCursor = next_cursor
  .optional()
  .describe('The `cursor` of the next page; null at the end of the list. Only where the request has a `cursor`');

export const countedTotal = z
  .int()
  .nullable()
  .describe('How many entries match in all, on this page and the others; null with `count=none`');

/** The page of an answer that is only an array: the total and the next cursor are in its headers. */
export const arrayPage = {
  cursor: Cursor.optional(),
  count: CountMode.default('none').describe(
    '`exact`: the header `X-Total-Count` has the number of all entries that match',
  ),
};
