import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { get } from './request.ts';
import type { FilterValues } from './types.ts';

export type FilterField = FilterValues['field'];

/** What a filter may be set to; with a text only what contains it. */
export const filterValuesQuery = (field: FilterField, q: string) =>
  queryOptions({
    queryKey: ['filter-values', field, q],
    queryFn: ({ signal }) => get<FilterValues>('/api/filter-values', { field, q: q || undefined }, signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
