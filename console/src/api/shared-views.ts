import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { SharedView } from './types.ts';

/** The views that the admins share. */
export const sharedViewsQuery = queryOptions({
  queryKey: ['views'],
  queryFn: async ({ signal }) => (await get<{ views: SharedView[] }>('/api/views', {}, signal)).views,
  staleTime: 60_000,
});

type ViewText = Pick<SharedView, 'name' | 'path' | 'query'>;

export const saveSharedView = (body: ViewText, idempotencyKey: string): Promise<SharedView> =>
  request('POST', '/api/views', { body, idempotencyKey });

export const updateSharedView = (id: string, body: ViewText): Promise<SharedView> =>
  request('PUT', `/api/views/${encodeURIComponent(id)}`, { body });

export const deleteSharedView = (id: string): Promise<unknown> =>
  request('DELETE', `/api/views/${encodeURIComponent(id)}`);
