import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { AdminUser } from './types.ts';

const userPath = (id: string, rest = ''): string => `/api/admin-users/${encodeURIComponent(id)}${rest}`;

export const usersQuery = queryOptions({
  queryKey: ['users'],
  queryFn: ({ signal }) => get<AdminUser[]>('/api/admin-users', {}, signal),
  staleTime: 60_000,
});

export const createUser = (body: unknown, idempotencyKey: string): Promise<AdminUser> =>
  request('POST', '/api/admin-users', { body, idempotencyKey });

export const updateUser = (id: string, body: unknown): Promise<unknown> => request('PUT', userPath(id), { body });

export const setPassword = (id: string, new_password: string): Promise<unknown> =>
  request('POST', userPath(id, '/change-password'), { body: { new_password } });

export const deleteUser = (id: string): Promise<unknown> => request('DELETE', userPath(id));

export const resetSecondFactor = (id: string): Promise<unknown> => request('DELETE', userPath(id, '/second-factor'));
