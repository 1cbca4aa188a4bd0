import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from './request.ts';
import type { SearchResults } from './types.ts';

/** A shorter text is not searched. */
export const minLength = 2;

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => get<SearchResults>('/api/search', { q }, signal),
    enabled: q.length >= minLength,
    placeholderData: keepPreviousData,
    // What is searched may have been created since.
    staleTime: 0,
  });
