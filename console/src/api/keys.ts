import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import type { CreatedTeamKey, EndedKeys, TeamKey, TeamKeyList } from './types.ts';

const path = (teamId: string, keyId?: string): string =>
  `/api/teams/${encodeURIComponent(teamId)}/keys${keyId === undefined ? '' : `/${keyId}`}`;

/** The keys of a team. */
export const teamKeysQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['keys', teamId],
    queryFn: ({ signal }) => get<TeamKeyList>(path(teamId), {}, signal),
  });

export const createTeamKey = (teamId: string, body: object, idempotencyKey: string): Promise<CreatedTeamKey> =>
  request('POST', path(teamId), { body, idempotencyKey });

export const changeTeamKey = (teamId: string, keyId: string, body: object): Promise<TeamKey> =>
  request('PATCH', path(teamId, keyId), { body });

export const endPreviousKeys = (teamId: string, idempotencyKey: string): Promise<EndedKeys> =>
  request('POST', `/api/teams/${encodeURIComponent(teamId)}/end-previous-keys`, { idempotencyKey });

export const deleteTeamKey = (teamId: string, keyId: string): Promise<unknown> =>
  request('DELETE', path(teamId, keyId));
