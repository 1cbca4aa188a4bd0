import { queryOptions } from '@tanstack/react-query';
import { get } from './request.ts';
import type { Live, System } from './types.ts';

export const liveMs = 5_000;
const systemMs = 15_000;

/** The query is read again while it is shown: rates fall without an event. */
export const liveQuery = queryOptions({
  queryKey: ['live'],
  queryFn: ({ signal }) => get<Live>('/api/live', {}, signal),
  refetchInterval: liveMs,
});

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: ({ signal }) => get<System>('/api/system', {}, signal),
  refetchInterval: systemMs,
});
