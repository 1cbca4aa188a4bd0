import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from './request.ts';
import type { SearchResults } from './types.ts';

const minLength = 2;

export const searchQuery = (q: string) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: ({ signal }) => get<SearchResults>('/api/search', { q }, signal),
    enabled: q.length >= minLength,
    placeholderData: keepPreviousData,
  });
