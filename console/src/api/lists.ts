import { infiniteQueryOptions } from '@tanstack/react-query';
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
const pathOf = (path: string, query: Query, cursor: string): string => {
  const text = queryText({ ...query, limit: pageSize });
  return `${path}${text}&cursor=${encodeURIComponent(cursor)}`;
};

export interface List<Whole, Row> {
  path: string;
  /** What makes two lists the same one: a range up to now has other moments with each request. */
  key: unknown;
  query: () => Query;
  rowsOf: (whole: Whole) => readonly Row[];
  /** Whether the list has the parameter `count`, so that only its first page has to be counted. */
  counts?: boolean;
}

/** A list page by page: an object with its rows, or only an array with its total and next position in headers. */
export const pagesOf = <Whole, Row>({ path, key, query, rowsOf, counts = false }: List<Whole, Row>) =>
  infiniteQueryOptions({
    queryKey: ['list', path, key],
    queryFn: async ({ pageParam, signal }): Promise<Page<Row, Whole>> => {
      const count = counts ? (pageParam === '' ? 'exact' : 'none') : undefined;
      const at = pathOf(path, { ...query(), count }, pageParam);
      const { answer, headers } = await requestWithHeaders<Whole & PagedAnswer>('GET', at, { signal });
      const counted = headers.get('X-Total-Count');
      return {
        rows: rowsOf(answer),
        total: answer.total ?? (counted === null ? null : Number(counted)),
        next: answer.next_cursor ?? headers.get('X-Next-Cursor'),
        whole: answer,
      };
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    // A list that is read again by itself would move under the reader.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });

/** The rows of an answer that is only an array. */
export const asRows = <Row>(rows: readonly Row[]): readonly Row[] => rows;
