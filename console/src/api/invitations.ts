import { queryOptions } from '@tanstack/react-query';
import { get, request } from './request.ts';
import { noteSignIn } from './session.ts';
import type { AdminUser, Invitation, InvitationWithLink, OpenInvitation, Session } from './types.ts';

const path = '/api/admin-users/invitations';
const invitationPath = (id: string, rest = ''): string => `${path}/${encodeURIComponent(id)}${rest}`;

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await get<{ invitations: Invitation[] }>(path, {}, signal)).invitations,
});

export const inviteUser = (body: { email: string; role: AdminUser['role'] }): Promise<InvitationWithLink> =>
  request('POST', path, { body });

export const renewInvitation = (id: string): Promise<InvitationWithLink> =>
  request('POST', invitationPath(id, '/renew'));

export const withdrawInvitation = (id: string): Promise<unknown> => request('DELETE', invitationPath(id));

/** What somebody with the link sees. The token is in the body, because an address is in logs. */
export const readInvitation = (token: string): Promise<OpenInvitation> =>
  request('POST', `${path}/read`, { body: { token } });

export async function acceptInvitation(body: {
  token: string;
  display_name: string;
  password: string;
}): Promise<Session> {
  const session = await request<Session>('POST', `${path}/accept`, { body });
  noteSignIn();
  return session;
}
