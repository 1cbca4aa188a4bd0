import type { AdminRole } from '../../domain/admin-roles.ts';
import type { Database } from '../connection/database.ts';
import { statement } from '../sql/statement.ts';

/** An invitation without its secret, with who has invited. */
export interface InvitationRow {
  invitation_id: string;
  email: string;
  role: AdminRole;
  invited_by: string;
  invited_by_name: string;
  /** Of the inviter as they are now. */
  inviter_role: AdminRole;
  created_at: Date;
  expires_at: Date;
  is_open: boolean;
}

const listing = (condition: string, name: string) =>
  statement(
    name,
    `select i.invitation_id, i.email, i.role, i.invited_by, u.display_name as invited_by_name, u.role as inviter_role,
            i.created_at, i.expires_at, i.expires_at > now() as is_open
       from admin_invitations i join admin_users u on u.user_id = i.invited_by
      where ${condition} order by i.created_at desc, i.invitation_id`,
  );

const allSql = listing('true', 'list_invitations');
const byTokenSql = listing(
  'i.token_hash = any (:token_hashes::bytea[]) and i.expires_at > now() and u.is_active',
  'find_open_invitation',
);

/** The newest first. */
export const listInvitations = (database: Database): Promise<InvitationRow[]> =>
  database.reports.query<InvitationRow>(allSql, {});

/** The invitation of this secret, unless it has expired or its inviter is deactivated. */
export async function findOpenInvitation(
  database: Database,
  tokenHashes: readonly Buffer[],
): Promise<InvitationRow | undefined> {
  const [row] = await database.query<InvitationRow>(byTokenSql, { token_hashes: tokenHashes });
  return row;
}
