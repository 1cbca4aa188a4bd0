import { InvitationList } from '../../../contracts/invitations.ts';
import { listInvitations as list } from '../../../services/invitations/read-invitations.ts';
import { route } from '../../route.ts';
import { serializeInvitation } from './serialize-invitation.ts';

export const listInvitations = route(
  {
    operationId: 'listInvitations',
    method: 'get',
    path: '/api/admin-users/invitations',
    summary: 'List the invitations that were neither accepted nor withdrawn, newest first',
    tag: 'Admin users',
    access: { audience: ['admin_user'] },
    limits: { place: 'lists' },
    response: InvitationList,
  },
  async (context) => ({ invitations: (await list(context)).map(serializeInvitation) }),
);
