import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { Price, PriceList } from './types.ts';

const pageSize = 1_000;

/** Of a team, or of all teams. */
const path = (team: string | undefined, jobType?: string): string =>
  `/api${team === undefined ? '' : `/teams/${encodeURIComponent(team)}`}/job-types` +
  (jobType === undefined ? '' : `/${encodeURIComponent(jobType)}`);

export const pricesQuery = (team: string | undefined) =>
  queryOptions({
    queryKey: ['prices', team],
    queryFn: ({ signal }) => get<PriceList>(path(team), { limit: pageSize }, signal),
  });

export const setPrice = (team: string | undefined, jobType: string, body: unknown): Promise<Price> =>
  request('PUT', path(team, jobType), { body });

export const deletePrice = (team: string | undefined, jobType: string): Promise<unknown> =>
  request('DELETE', path(team, jobType));
