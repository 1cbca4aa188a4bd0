import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { OwnSessionList } from './types.ts';

const sessions = '/api/admin-users/me/sessions';

export const ownSessionsQuery = queryOptions({
  queryKey: ['me', 'sessions'],
  queryFn: ({ signal }) => get<OwnSessionList>(sessions, {}, signal),
});

export const endSessionById = (id: string): Promise<unknown> =>
  request('DELETE', `${sessions}/${encodeURIComponent(id)}`);

export const endOtherSessions = (): Promise<unknown> => request('DELETE', sessions);

export const deleteOwnAccount = (): Promise<unknown> => request('DELETE', '/api/admin-users/me');

export interface PasswordChange {
  current_password: string;
  new_password: string;
}

export const changePassword = (userId: string, change: PasswordChange): Promise<unknown> =>
  request('POST', `/api/admin-users/${encodeURIComponent(userId)}/change-password`, { body: change });
