import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { OwnSessionList, RecoveryCodes, StartedSecondFactor } from './types.ts';

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

const secondFactor = '/api/admin-users/me/second-factor';

export const startSecondFactor = (current_password: string): Promise<StartedSecondFactor> =>
  request('POST', secondFactor, { body: { current_password } });

export const confirmSecondFactor = (code: string): Promise<RecoveryCodes> =>
  request('POST', `${secondFactor}/confirm`, { body: { code } });

export const disableSecondFactor = (current_password: string, code: string): Promise<unknown> =>
  request('POST', `${secondFactor}/disable`, { body: { current_password, code } });
