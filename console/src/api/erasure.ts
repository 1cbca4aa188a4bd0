import { request } from './request.ts';
import type { DeletedPayloads, ErasedUser } from './types.ts';

export const deletePayloads = (jobId: string): Promise<DeletedPayloads> =>
  request('DELETE', `/api/jobs/${encodeURIComponent(jobId)}/payloads`);

export const eraseUser = (teamId: string, user_id: string): Promise<ErasedUser> =>
  request('POST', `/api/teams/${encodeURIComponent(teamId)}/erase`, { body: { user_id } });
