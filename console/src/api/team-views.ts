import { request } from './request.ts';

const path = (teamId: string): string => `/api/teams/${encodeURIComponent(teamId)}/view`;

/** Lets this session read as the team, for an hour. */
export const openView = (teamId: string): Promise<unknown> => request('POST', path(teamId), { asViewer: true });

export const endView = (teamId: string): Promise<unknown> => request('DELETE', path(teamId), { asViewer: true });
