import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type RangeSearch, toMoments } from '../url/time-range.ts';
import { get, type Query } from './request.ts';
import type { Margins, UsageSeries } from './types.ts';

export const seriesPath = '/api/usage/series';

export const usageSeriesQuery = (range: RangeSearch, query: Query) =>
  queryOptions({
    queryKey: ['usage', 'series', range, query],
    queryFn: ({ signal }) => get<UsageSeries>(seriesPath, { ...query, ...toMoments(range) }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

export const marginsPath = '/api/usage/margins';

export const marginsQuery = (range: RangeSearch, query: Query) =>
  queryOptions({
    queryKey: ['usage', 'margins', range, query],
    queryFn: ({ signal }) => get<Margins>(marginsPath, { ...query, ...toMoments(range) }, signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
