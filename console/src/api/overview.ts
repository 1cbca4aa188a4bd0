import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type RangeSearch, toMoments } from '../url/time-range.ts';
import { withAsked } from './ranged.ts';
import { get } from './request.ts';
import type { Overview } from './types.ts';
import { recountMs } from './usage.ts';

/** The figures of a range: those of all teams for an admin, those of the own team for a team. */
export const overviewQuery = (range: RangeSearch) =>
  queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) => withAsked(range, get<Overview>('/api/overview', toMoments(range), signal)),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: recountMs,
  });
