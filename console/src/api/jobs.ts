import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { listReading } from './lists.ts';
import { get, type Query, request } from './request.ts';
import type {
  Call,
  CallWithPayload,
  CancelledJobs,
  Job,
  JobHistogram,
  JobList,
  JobTimeline,
  JobTotals,
} from './types.ts';

/** The parameters that the list, its histogram and its CSV file have in common. */
export type JobFilters = Query;

const pageSize = 100;

/** One page of the list. `cursor` is empty for the first one. */
export const getJobs = (
  filters: JobFilters,
  cursor: string,
  signal?: AbortSignal,
  limit = pageSize,
): Promise<JobList> => get('/api/jobs', { ...filters, cursor: cursor || undefined, limit, count: 'none' }, signal);

/** Jobs page by page, by cursor: a later page takes no longer than the first. */
export const jobsQuery = (key: readonly unknown[], filters: () => JobFilters) =>
  infiniteQueryOptions({
    queryKey: ['jobs', 'list', ...key],
    queryFn: ({ pageParam, signal }) => getJobs(filters(), pageParam, signal),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    ...listReading,
  });

export const jobHistogramQuery = (key: readonly unknown[], filters: () => JobFilters) =>
  queryOptions({
    queryKey: ['histogram', ...key],
    queryFn: ({ signal }) => getHistogram(filters(), signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** Adds the time of the answer: a bucket that ends later is still filled. */
async function getHistogram(filters: JobFilters, signal: AbortSignal): Promise<JobHistogram & { readAt: string }> {
  const histogram = await get<JobHistogram>('/api/jobs/histogram', filters, signal);
  return { ...histogram, readAt: new Date().toISOString() };
}

/** How many jobs match, and what they took. */
export const jobTotalsQuery = (key: readonly unknown[], filters: () => JobFilters) =>
  queryOptions({
    queryKey: ['histogram', 'totals', ...key],
    queryFn: ({ signal }) => get<JobTotals>('/api/jobs/totals', filters(), signal),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });

/** What was done with all jobs that matched. */
export interface CancelledByFilter {
  cancelled: number;
  already_ended: number;
}

/** Cancels the open jobs that match, a thousand with each request, until none is left. A repetition finds only those that are still open. */
export async function cancelMatching(
  filter: Record<string, unknown>,
  reason: string | undefined,
  idempotencyKey: string,
): Promise<CancelledByFilter> {
  const done = { cancelled: 0, already_ended: 0 };
  for (let part = 0; ; part += 1) {
    const body = { filter, reason };
    const answer = await request<CancelledJobs>('POST', '/api/jobs/cancel', {
      body,
      idempotencyKey: `${idempotencyKey}-${part}`,
    });
    done.cancelled += answer.cancelled;
    done.already_ended += answer.already_ended;
    if (!answer.more) return done;
  }
}

/** How many jobs match. Counting may take longer than a page of the list, so that it is requested only when it is shown. */
export const countJobs = async (filters: JobFilters): Promise<number> =>
  (await get<JobList>('/api/jobs', { ...filters, limit: 1, count: 'exact' })).total ?? 0;

export const timelineQuery = (jobId: string) =>
  queryOptions({
    queryKey: ['job', jobId, 'timeline'],
    queryFn: ({ signal }) => getTimeline(jobId, signal),
  });

/** The timeline with all calls of the job, which are read in pages of 1,000. */
async function getTimeline(jobId: string, signal: AbortSignal): Promise<JobTimeline> {
  const path = `/api/jobs/${encodeURIComponent(jobId)}/timeline`;
  const whole = await get<JobTimeline>(path, {}, signal);
  let cursor = whole.next_calls_cursor;
  while (cursor) {
    const next = await get<JobTimeline>(path, { calls_cursor: cursor }, signal);
    whole.calls.push(...next.calls);
    cursor = next.next_calls_cursor;
  }
  return whole;
}

/** A call with its texts, for a tab that shows them. Long texts are cut unless `maxBytes` is larger. After its end it is read anew. */
export const callQuery = (jobId: string, { call_id: callId, finished_at }: Call, maxBytes?: number) =>
  queryOptions({
    queryKey: ['job', jobId, 'call', callId, finished_at ?? 'open', maxBytes ?? 'cut'],
    queryFn: ({ signal }) =>
      get<CallWithPayload>(
        `/api/jobs/${encodeURIComponent(jobId)}/calls/${encodeURIComponent(callId)}`,
        { include: 'request,response', max_bytes: maxBytes },
        signal,
      ),
    gcTime: 60_000,
  });

export const cancelJob = (jobId: string, reason?: string, idempotencyKey?: string): Promise<unknown> =>
  request('POST', `/api/jobs/${encodeURIComponent(jobId)}/cancel`, { body: { reason }, idempotencyKey });

export const refundJob = (teamId: string, jobId: string, reason?: string, idempotencyKey?: string): Promise<unknown> =>
  request('POST', `/api/teams/${encodeURIComponent(teamId)}/credits/refund`, {
    body: { job_id: jobId, reason },
    idempotencyKey,
  });

export const redeliver = (deliveryId: string, idempotencyKey?: string): Promise<unknown> =>
  request('POST', `/api/webhooks/deliveries/${encodeURIComponent(deliveryId)}/redeliver`, { idempotencyKey });

export const isOpen = ({ status }: Pick<Job, 'status'>): boolean => status === 'pending' || status === 'in_progress';
