import { type InfiniteData, infiniteQueryOptions } from '@tanstack/react-query';
import { type Query, queryText, requestWithHeaders } from './request.ts';

/** A part of a list. `whole` is the answer itself, which may have sums. */
export interface Page<Row, Whole = unknown> {
  rows: readonly Row[];
  /** How many rows match in all; null where they were not counted. */
  total: number | null;
  next: string | null;
  whole: Whole;
}

interface PagedAnswer {
  total?: number | null;
  next_cursor?: string | null;
}

const pageSize = 100;

/** An empty cursor requests the first page: without one, some lists do not return where the next page begins. */
const pagePath = (path: string, query: Query, cursor: string): string => {
  const text = queryText({ ...query, limit: pageSize });
  return `${path}${text}&cursor=${encodeURIComponent(cursor)}`;
};

export interface List<Whole, Row> {
  path: string;
  /** Identifies the list in the cache. The query cannot: the moments of a range up to now differ with each request. */
  key: unknown;
  query: () => Query;
  rowsOf: (whole: Whole) => readonly Row[];
  /** Whether the list has the parameter `count`, so that only its first page has to be counted. */
  counts?: boolean;
}

/**
 * When a list is read again: only on request, because rows would move under the reader. A list without data is also read
 * when the window is focused or the network is back. Reading again requests one page: all loaded pages are 400 requests after 40,000 rows.
 */
export const listReading = {
  pages: 1,
  staleTime: Number.POSITIVE_INFINITY,
  refetchOnWindowFocus: ({ state }: { state: { data: unknown } }) => state.data === undefined,
  refetchOnReconnect: ({ state }: { state: { data: unknown } }) => state.data === undefined,
  gcTime: 60_000,
};

/** Reads one page of a list. An empty cursor is the first page. */
export async function readPage<Whole, Row>(
  { path, query, rowsOf, counts = false }: List<Whole, Row>,
  cursor: string,
  signal?: AbortSignal,
): Promise<Page<Row, Whole>> {
  const count = counts ? (cursor === '' ? 'exact' : 'none') : undefined;
  const at = pagePath(path, { ...query(), count }, cursor);
  const { answer, headers } = await requestWithHeaders<Whole & PagedAnswer>('GET', at, { signal });
  const counted = headers.get('X-Total-Count');
  return {
    rows: rowsOf(answer),
    total: answer.total ?? (counted === null ? null : Number(counted)),
    next: answer.next_cursor ?? headers.get('X-Next-Cursor'),
    whole: answer,
  };
}

/** A list page by page. An answer is an object with rows, or an array whose total and next cursor are in headers. */
export const pagesQuery = <Whole, Row>(list: List<Whole, Row>) =>
  infiniteQueryOptions({
    queryKey: ['list', list.path, list.key],
    queryFn: ({ pageParam, signal }) => readPage(list, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    ...listReading,
  });

export type PagesOf<Row, Whole> = InfiniteData<Page<Row, Whole>, unknown>;

/** Replaces the rows of a page by their new versions, and its sums. New rows are left out, so that no row moves. */
export const withPage = <Row, Whole>(
  data: PagesOf<Row, Whole>,
  index: number,
  fresh: Page<Row, Whole>,
  rowId: (row: Row) => string,
): PagesOf<Row, Whole> => {
  const now = new Map(fresh.rows.map((row) => [rowId(row), row]));
  return {
    ...data,
    pages: data.pages.map((page, at) =>
      at === index ? { ...fresh, next: page.next, rows: page.rows.map((row) => now.get(rowId(row)) ?? row) } : page,
    ),
  };
};

/** The rows of an answer that is only an array. */
export const asRows = <Row>(rows: readonly Row[]): readonly Row[] => rows;
