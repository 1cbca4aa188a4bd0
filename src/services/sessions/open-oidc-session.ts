import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { NewCredentials } from '../../contracts/admin-users.ts';
import { findOidcUser, insertOidcAccount } from '../../db/admin-users/oidc-accounts.ts';
import { writeAuditEntry, writeRepeatableEntry } from '../../db/audit/write-audit-entry.ts';
import { AdminInvitation } from '../../db/entities/admin-invitation.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';
import type { AdminRole } from '../../domain/admin-roles.ts';
import { claimedRole } from '../../domain/claimed-role.ts';
import { type RefusalCode, refuse } from '../../errors.ts';
import type { OidcIdentity } from '../../oidc/oidc-client.ts';
import { requireAnotherOwner } from '../admin-users/manageable-user.ts';
import type { ServiceContext } from '../context.ts';
import { endUnmanageableInvitations } from '../invitations/invitation-link.ts';
import { type OpenedSession, openSession } from './open-session.ts';

type Refused = Extract<RefusalCode, 'oidc_no_role' | 'oidc_no_email' | 'oidc_email_taken' | 'account_inactive'>;

/**
 * Opens a session of who has signed in at the issuer. The account is the one of issuer and subject, and is created the first time; an
 * account with the same e-mail is another one. Its role is what the claims give it now. `spec 12.41`
 */
export async function openOidcSession(context: ServiceContext, identity: OidcIdentity): Promise<OpenedSession> {
  // What a refusal has changed, such as sessions that end, is kept: it is thrown after the transaction.
  const outcome = await context.deps.database.transaction(async (entities): Promise<OpenedSession | Refused> => {
    await lockChanges(entities, 'admin users');
    const user = await findOrCreateUser(entities, context, identity);
    if (typeof user === 'string') return user;
    user.last_login = new Date();
    await entities.flush();
    return openSession(entities, context, user, { kind: 'cookie', action: 'login', details: { by: 'oidc' } });
  });
  if (typeof outcome === 'string') throw refuse(outcome);
  return outcome;
}

async function findOrCreateUser(
  entities: SqlEntityManager,
  context: ServiceContext,
  identity: OidcIdentity,
): Promise<AdminUser | Refused> {
  const { OIDC_ROLE_CLAIM, OIDC_ROLES = [] } = context.deps.config;
  const role = claimedRole(identity.claims, OIDC_ROLE_CLAIM, OIDC_ROLES);
  const user_id = await findOidcUser(entities, identity);
  if (user_id === undefined) return role ? createUser(entities, context, identity, role) : 'oidc_no_role';
  const user = await entities.findOneOrFail(AdminUser, { user_id });
  if (!user.is_active) return refuseUser(entities, context, user, 'account_inactive');
  if (!role) {
    await entities.nativeUpdate(AdminSession, { user_id }, { is_revoked: true });
    await entities.nativeDelete(AdminInvitation, { invited_by: user_id });
    return refuseUser(entities, context, user, 'oidc_no_role');
  }
  if (user.role !== role) await changeRole(entities, context, user, role);
  return user;
}

const subjectOf = ({ user_id }: Pick<AdminUser, 'user_id'>) =>
  ({ resource_type: 'admin_user', resource_id: user_id }) as const;

/** The user, who acts with no session yet. */
const actorOf = ({ ip }: ServiceContext, { user_id }: AdminUser) => ({
  caller: { kind: 'user', userId: user_id } as const,
  ip,
});

async function createUser(
  entities: SqlEntityManager,
  context: ServiceContext,
  { issuer, subject, claims }: OidcIdentity,
  role: AdminRole,
): Promise<AdminUser | Refused> {
  const email = claims.email_verified === false ? undefined : NewCredentials.shape.email.safeParse(claims.email).data;
  if (email === undefined) return 'oidc_no_email';
  const holder = await entities.findOne(AdminUser, { email });
  if (holder) return refuseUser(entities, context, holder, 'oidc_email_taken');
  const display_name = typeof claims.name === 'string' && claims.name.trim() ? claims.name.slice(0, 255) : email;
  const user_id = context.newId('admin_user');
  const fields = { user_id, email, display_name, role, password_hash: null, signs_in_by: 'oidc' as const };
  const user = entities.create(AdminUser, fields);
  await entities.persist(user).flush();
  await insertOidcAccount(entities, { issuer, subject, user_id });
  const details = { email, role, issuer };
  await writeAuditEntry(entities, actorOf(context, user), { action: 'created_user', ...subjectOf(user), details });
  return user;
}

async function changeRole(
  entities: SqlEntityManager,
  context: ServiceContext,
  user: AdminUser,
  role: AdminRole,
): Promise<void> {
  if (user.role === 'owner') await requireAnotherOwner(entities, user);
  user.role = role;
  await endUnmanageableInvitations(entities, user);
  const details = { email: user.email, role, is_active: true, changed: ['role'], by: 'oidc' };
  await writeAuditEntry(entities, actorOf(context, user), { action: 'updated_user', ...subjectOf(user), details });
}

async function refuseUser(
  entities: SqlEntityManager,
  { ip }: ServiceContext,
  user: AdminUser,
  refused: Refused,
): Promise<Refused> {
  const details = { email: user.email, refused };
  const failure = { action: 'failed_login', ...subjectOf(user), details };
  await writeRepeatableEntry(entities, { caller: { kind: 'anonymous' }, ip }, failure);
  return refused;
}
