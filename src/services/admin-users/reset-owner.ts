import { randomUUID } from 'node:crypto';
import { deleteOidcAccount } from '../../db/admin-users/oidc-accounts.ts';
import { removeSecondFactor } from '../../db/admin-users/second-factor.ts';
import { writeAuditEntry } from '../../db/audit/write-audit-entry.ts';
import type { Database } from '../../db/connection/database.ts';
import { AdminSession } from '../../db/entities/admin-session.ts';
import { AdminUser } from '../../db/entities/admin-user.ts';
import { lockChanges } from '../../db/sql/lock-changes.ts';

export interface ResetOwner {
  user_id: string;
  /** There was no account of this e-mail. */
  created: boolean;
}

/** Makes the account of this e-mail an active owner with this password, creates it where there is none, takes its second factor away and ends its sessions. */
export const resetOwner = (database: Database, email: string, password_hash: string): Promise<ResetOwner> =>
  database.transaction(async (entities) => {
    await lockChanges(entities, 'admin users');
    const owner = { role: 'owner', is_active: true, password_hash, signs_in_by: 'password' } as const;
    const known = await entities.findOne(AdminUser, { email });
    if (known) entities.assign(known, owner);
    const user =
      known ??
      entities.create(AdminUser, { ...owner, user_id: randomUUID(), email, display_name: email.slice(0, 255) });
    await entities.persist(user).flush();
    const { user_id } = user;
    // Who has lost access may have lost the authenticator too.
    await removeSecondFactor(entities, user_id);
    await deleteOidcAccount(entities, user_id);
    await entities.nativeUpdate(AdminSession, { user_id }, { is_revoked: true });
    await writeAuditEntry(
      entities,
      { caller: { kind: 'platform' }, ip: '' },
      {
        action: 'reset_owner',
        resource_type: 'admin_user',
        resource_id: user_id,
        details: { email, created: !known },
      },
    );
    return { user_id, created: !known };
  });
