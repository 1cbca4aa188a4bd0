import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type RangeSearch, toMoments } from '../url/time-range.ts';
import { get } from './request.ts';
import type { Overview } from './types.ts';

/** Calls are counted half a minute after they have ended, which no event shows, and a dependency may go down without one. */
const recountMs = 60_000;

/** The figures of a range: those of all teams for an admin, those of the own team for a team. */
export const overviewQuery = (range: RangeSearch) =>
  queryOptions({
    queryKey: ['overview', range],
    queryFn: ({ signal }) => get<Overview>('/api/overview', toMoments(range), signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
    refetchInterval: recountMs,
  });
