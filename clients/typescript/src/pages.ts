import type { RequestOptions, Transport } from './transport.ts';

/** A list of the API: `for await` reads entry by entry, over as many pages as there are. */
export class Pages<Item, Page = unknown> implements AsyncIterable<Item> {
  readonly #read: (cursor: string) => Promise<Page>;
  readonly #itemsOf: (page: Page) => Item[];
  readonly #cursorOf: (page: Page) => string | null | undefined;

  constructor(
    read: (cursor: string) => Promise<Page>,
    itemsOf: (page: Page) => Item[],
    cursorOf: (page: Page) => string | null | undefined,
  ) {
    this.#read = read;
    this.#itemsOf = itemsOf;
    this.#cursorOf = cursorOf;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#itemsOf(page);
  }

  /** The answers themselves, with what they have beside their entries, as `total`. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | null | undefined = '';
    do {
      const page: Page = await this.#read(cursor);
      yield page;
      cursor = this.#cursorOf(page);
    } while (cursor);
  }

  /** All entries, or the first of them. */
  async toArray(limit = Number.POSITIVE_INFINITY): Promise<Item[]> {
    const items: Item[] = [];
    if (limit > 0)
      for await (const item of this) {
        items.push(item);
        if (items.length >= limit) break;
      }
    return items;
  }
}

interface Page {
  next_cursor?: string | null | undefined;
}

/** The pages of a list whose answers have `next_cursor`. */
export const pagesOf = <Item, P extends Page>(
  transport: Transport,
  path: string,
  query: object,
  itemsOf: (page: P) => Item[],
  options?: RequestOptions,
): Pages<Item, P> =>
  new Pages<Item, P>(
    (cursor) => transport.get<P>(path, { ...query, cursor }, options),
    itemsOf,
    ({ next_cursor }) => next_cursor,
  );

/** An answer that is an array: its cursor is in a header. */
export interface ArrayPage<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** The pages of a list whose answers are arrays. */
export const arrayPagesOf = <Item>(
  transport: Transport,
  path: string,
  query: object,
  options?: RequestOptions,
): Pages<Item, ArrayPage<Item>> =>
  new Pages<Item, ArrayPage<Item>>(
    (cursor) =>
      transport.read({ method: 'GET', path, query: { ...query, cursor } }, options, async (response) => ({
        items: (await response.json()) as Item[],
        next_cursor: response.headers.get('x-next-cursor'),
      })),
    ({ items }) => items,
    ({ next_cursor }) => next_cursor,
  );
