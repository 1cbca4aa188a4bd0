import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type List, type PagesOf, pagesQuery, readPage, withPage } from '../../../api/lists.ts';
import { type Difference, type Follow, noDifference, type Touched, useFollowing } from './use-following.ts';

/** So many pages are read again at most where it is not known which rows have changed. */
const maxPages = 5;

export interface FollowRows<Row> extends Follow {
  rowId: (row: Row) => string;
}

/** The rows of a list, what its table needs of it, and the answer of its first page, which has the totals. */
export function useList<Whole, Row>(list: List<Whole, Row>, follow: FollowRows<Row>) {
  const cache = useQueryClient();
  const options = pagesQuery(list);
  const query = useInfiniteQuery(options);
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);

  /** Reads the first page with the sums again, and each page with such a row. Rows are replaced in their places: no row moves. */
  const readInPlace = async (touched: Touched): Promise<Difference> => {
    const data = cache.getQueryData<PagesOf<Row, Whole>>(options.queryKey);
    let difference = noDifference;
    for (const index of pagesToRead(data, touched, follow.rowId)) {
      const fresh = await readPage(list, data!.pageParams[index] as string).catch(() => undefined);
      if (!fresh) return difference;
      const { rows: shown } = data!.pages[index]!;
      const isEmpty = data!.pages.length === 1 && shown.length === 0;
      if (index === 0 && !isEmpty) difference = differenceOf(shown, fresh.rows, follow.rowId);
      cache.setQueryData<PagesOf<Row, Whole>>(
        options.queryKey,
        (now) => now && (isEmpty ? { ...now, pages: [fresh] } : withPage(now, index, fresh, follow.rowId)),
      );
    }
    return difference;
  };
  const isKnown = pages !== undefined;
  const { difference, clear } = useFollowing(JSON.stringify(options.queryKey), follow, isKnown, readInPlace);

  return {
    rows,
    first: pages?.[0],
    /** Begins again with the first page. */
    refresh: () => {
      clear();
      void query.refetch();
    },
    isRefreshing: query.isRefetching,
    /** What waits behind a button. */
    difference,
    table: {
      rows,
      total: pages?.[0]?.total,
      state: { isPending: query.isPending, error: query.error, refetch: () => retryPage(query) },
      more: {
        hasMore: query.hasNextPage,
        isLoading: query.isFetchingNextPage,
        load: () => void query.fetchNextPage(),
      },
    },
  };
}

/** The first page, and each with a row that may have changed. */
function pagesToRead<Row>(
  data: PagesOf<Row, unknown> | undefined,
  touched: Touched,
  rowId: (row: Row) => string,
): number[] {
  const isWanted = (rows: readonly Row[], index: number) =>
    touched === 'all' ? index < maxPages : rows.some((row) => touched.has(rowId(row)));
  return (data?.pages ?? []).flatMap(({ rows }, index) => (index === 0 || isWanted(rows, index) ? [index] : []));
}

function differenceOf<Row>(shown: readonly Row[], fresh: readonly Row[], rowId: (row: Row) => string): Difference {
  const [before, now] = [new Set(shown.map(rowId)), new Set(fresh.map(rowId))];
  const added = [...now].filter((id) => !before.has(id)).length;
  return { added, isOther: added === 0 && [...before].some((id) => !now.has(id)) };
}

interface Retried {
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

/** Requests again what has failed: the next page, or else the list. */
export const retryPage = ({ isFetchNextPageError, fetchNextPage, refetch }: Retried): void =>
  void (isFetchNextPageError ? fetchNextPage() : refetch());
