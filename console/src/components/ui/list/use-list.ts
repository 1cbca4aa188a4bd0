import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type List, pagesQuery, readPage, withPage } from '../../../api/lists.ts';

/** The rows of a list, what its table needs of it, and the answer of its first page, which has the totals. */
export function useList<Whole, Row>(list: List<Whole, Row>) {
  const cache = useQueryClient();
  const options = pagesQuery(list);
  const query = useInfiniteQuery(options);
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);

  /** Reads the first page with the sums again, and each page with such a row. Newer rows are added only where one page is loaded. */
  const refreshWhere = async (isWanted: (row: Row) => boolean, rowId: (row: Row) => string): Promise<void> => {
    const data = cache.getQueryData(options.queryKey);
    if (!data || data.pages.length === 1) return void (await query.refetch());
    for (const [index, page] of data.pages.entries()) {
      if (index > 0 && !page.rows.some(isWanted)) continue;
      const fresh = await readPage(list, data.pageParams[index] as string).catch(() => undefined);
      if (!fresh) return;
      cache.setQueryData(options.queryKey, (now) => now && withPage(now, index, fresh, rowId));
    }
  };

  return {
    rows,
    first: pages?.[0],
    /** Begins again with the first page. */
    refresh: () => void query.refetch(),
    refreshWhere,
    isRefreshing: query.isRefetching,
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

interface Retried {
  isFetchNextPageError: boolean;
  fetchNextPage: () => unknown;
  refetch: () => unknown;
}

/** Requests again what has failed: the next page, or else the list. */
export const retryPage = ({ isFetchNextPageError, fetchNextPage, refetch }: Retried): void =>
  void (isFetchNextPageError ? fetchNextPage() : refetch());
