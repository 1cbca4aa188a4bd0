import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type RangeSearch, toMoments } from '../url/time-range.ts';
import { withAsked } from './ranged.ts';
import { get, type Query } from './request.ts';
import type { Errors } from './types.ts';
import { recountMs } from './usage.ts';

export const errorsPath = '/api/usage/errors';

/** What failed in the range, in groups. */
export const errorsQuery = (range: RangeSearch, query: Query) =>
  queryOptions({
    queryKey: ['usage', 'errors', range, query],
    queryFn: ({ signal }) => withAsked(range, get<Errors>(errorsPath, { ...query, ...toMoments(range) }, signal)),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: recountMs,
  });
