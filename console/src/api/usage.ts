import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type RangeSearch, toMoments } from '../url/time-range.ts';
import { withAsked } from './ranged.ts';
import { get, type Query } from './request.ts';
import type { Margins, UsageSeries } from './types.ts';

/** Calls are counted half a minute after they have ended, which no event shows, and a dependency may go down without one. */
export const recountMs = 60_000;

export const seriesPath = '/api/usage/series';

export const usageSeriesQuery = (range: RangeSearch, query: Query) =>
  queryOptions({
    queryKey: ['usage', 'series', range, query],
    queryFn: ({ signal }) => withAsked(range, get<UsageSeries>(seriesPath, { ...query, ...toMoments(range) }, signal)),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: recountMs,
  });

export const marginsPath = '/api/usage/margins';

export const marginsQuery = (range: RangeSearch, query: Query) =>
  queryOptions({
    queryKey: ['usage', 'margins', range, query],
    queryFn: ({ signal }) => withAsked(range, get<Margins>(marginsPath, { ...query, ...toMoments(range) }, signal)),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: recountMs,
  });
