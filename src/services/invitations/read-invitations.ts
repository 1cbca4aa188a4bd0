import {
  findOpenInvitation,
  type InvitationRow,
  listInvitations as list,
} from '../../db/admin-users/list-invitations.ts';
import { mayManage } from '../../domain/admin-roles.ts';
import { refuse } from '../../errors.ts';
import type { PasswordLimits } from '../admin-users/password-limits.ts';
import type { ServiceContext } from '../context.ts';
import type { ServiceDeps } from '../ports.ts';

/** Every invitation that was neither accepted nor withdrawn. */
export const listInvitations = ({ deps }: ServiceContext): Promise<InvitationRow[]> => list(deps.database);

/** Wrong links of one network are counted as wrong passwords of one account of this name. */
const accountOfLinks = 'invitation links';

/** The invitation of a link. Throws one refusal for every link that does not work, and 429 after too many. `spec 12.21` */
export async function requireInvitation(
  { deps }: ServiceContext,
  token: string,
  limits: PasswordLimits,
): Promise<InvitationRow> {
  let invitation: InvitationRow | undefined;
  const isRight = await limits.ofLogins(accountOfLinks, async () => {
    invitation = await findWorkingInvitation(deps, token);
    return invitation !== undefined;
  });
  if (!isRight || !invitation) throw refuse('invitation_invalid');
  return invitation;
}

async function findWorkingInvitation(
  { database, secrets }: ServiceDeps,
  token: string,
): Promise<InvitationRow | undefined> {
  const found = await findOpenInvitation(database, secrets.lookupHashes(token));
  return found && mayManage(found.inviter_role, found.role) ? found : undefined;
}
