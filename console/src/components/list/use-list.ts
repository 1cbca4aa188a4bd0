import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type List, pagesOf } from '../../api/lists.ts';

/** The rows of a list, what its table needs of it, and the answer of its first page, which has the totals. */
export function useList<Whole, Row>(list: List<Whole, Row>) {
  const query = useInfiniteQuery(pagesOf(list));
  const pages = query.data?.pages;
  const rows = useMemo(() => pages?.flatMap((page) => page.rows) ?? [], [pages]);
  return {
    rows,
    first: pages?.[0],
    refresh: () => void query.refetch(),
    isRefreshing: query.isRefetching,
    table: {
      rows,
      total: pages?.[0]?.total,
      state: { isPending: query.isPending, error: query.error, refetch: () => void query.refetch() },
      more: {
        hasMore: query.hasNextPage,
        isLoading: query.isFetchingNextPage,
        load: () => void query.fetchNextPage(),
      },
    },
  };
}
